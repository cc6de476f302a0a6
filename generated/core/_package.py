"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "52c0d1a1be90"
