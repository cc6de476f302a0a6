"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "dc6c9bf27c8c"
