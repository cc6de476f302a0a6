"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "5af5e3f3b689"
