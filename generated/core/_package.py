"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE = "2d7b91f80471"
