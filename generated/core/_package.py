"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "f547c650c9ea"
