"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "a1fb1fc2e613"
