"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "6a38c0c01a1c"
