"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "e0bf7997dc86"
