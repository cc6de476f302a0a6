"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE = "827f88536d3f"
