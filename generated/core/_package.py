"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "bc7319e99641"
