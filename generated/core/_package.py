"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "7965d390d1b6"
