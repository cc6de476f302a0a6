"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "0a10f05bf31a"
