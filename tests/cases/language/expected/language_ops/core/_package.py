"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "1a1e561e99e4"
