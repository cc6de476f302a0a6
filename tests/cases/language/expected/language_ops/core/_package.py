"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "1d76fc176f3f"
