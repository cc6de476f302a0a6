"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "ce2b992740b5"
