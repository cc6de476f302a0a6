"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "5ad07c1e5e40"
