"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "009b1a40916a"
