"""The first files of a project and its ops; the author owns them afterwards."""

# The kinds of a first op.
KINDS = ("elementwise", "reduction", "norm", "inplace")
