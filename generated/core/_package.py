"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "2c6f992bf5e1"
