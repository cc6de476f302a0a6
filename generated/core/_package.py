"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "a724187e4e22"
