"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "7ee72334ec3c"
