"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "c05d19a42ca6"
