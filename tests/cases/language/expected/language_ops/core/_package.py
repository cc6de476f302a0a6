"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "0b21e3a5a6e7"
