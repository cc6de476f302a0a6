"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "6ed5d31c4f56"
