"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "47b8daa3a2c6"
