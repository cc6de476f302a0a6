"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "1b55f9640665"
