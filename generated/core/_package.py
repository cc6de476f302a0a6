"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "d5ae206ab8a5"
