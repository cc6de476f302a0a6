"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "80b55c5b817b"
