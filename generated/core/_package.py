"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE = "c25b5a16136f"
