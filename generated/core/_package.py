"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "bf1d5e48d016"
