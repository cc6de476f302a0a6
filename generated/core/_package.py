"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "53cf000b5070"
