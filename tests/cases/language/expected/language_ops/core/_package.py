"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "86ba56f6ed68"
