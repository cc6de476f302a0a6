"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "abb740e86f6a"
