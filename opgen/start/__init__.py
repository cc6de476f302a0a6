"""What a project and its ops begin with: files that are their author's from then on."""

# What an op may be like.
KINDS = ("elementwise", "reduction", "norm", "inplace")
