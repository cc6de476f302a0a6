"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "57d5f9dabe2f"
