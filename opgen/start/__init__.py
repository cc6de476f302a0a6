"""The first files of a project and its ops; their author owns them from then on."""

# What an op may be like.
KINDS = ("elementwise", "reduction", "norm", "inplace")
