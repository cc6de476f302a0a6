"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "4ddd3c1401f9"
