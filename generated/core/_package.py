"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "e0cf2c943674"
