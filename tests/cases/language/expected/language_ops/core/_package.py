"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "c729a2d8ecd6"
