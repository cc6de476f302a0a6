"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "53a37c1d85a3"
