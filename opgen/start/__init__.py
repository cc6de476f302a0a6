"""Create the first files of a project and its ops, which the author then edits."""

# The kinds of a first op.
KINDS = ("elementwise", "reduction", "norm", "inplace")
