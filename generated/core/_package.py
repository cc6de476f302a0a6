"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "1a65ec329e03"
