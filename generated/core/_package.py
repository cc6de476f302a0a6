"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "2901cc5f00d9"
