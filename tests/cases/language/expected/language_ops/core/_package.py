"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "a8ff6a3a482a"
