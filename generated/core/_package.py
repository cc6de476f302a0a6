"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "512a82db8727"
