"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE = "77e678ba1d5f"
