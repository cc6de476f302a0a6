"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE = "e04999a6d98f"
