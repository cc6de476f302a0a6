"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE = "d4b2e44cd757"
