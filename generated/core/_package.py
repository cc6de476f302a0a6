"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "5c1d9e6a26e1"
