"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "260d6147020c"
