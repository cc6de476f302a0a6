"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "ec0a9a7ded58"
