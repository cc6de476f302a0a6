"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "36f64724f67d"
