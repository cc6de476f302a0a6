"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "126b4ab22e5d"
