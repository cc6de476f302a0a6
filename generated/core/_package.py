"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "373768f9c60f"
