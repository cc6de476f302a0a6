"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "fe29b7c87bb9"
