"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "37a4528359b2"
