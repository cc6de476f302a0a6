"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "b0e3ed18594c"
