"""The first files of a project and its ops; their author owns them from then on."""

# Kinds of a first op.
KINDS = ("elementwise", "reduction", "norm", "inplace")
