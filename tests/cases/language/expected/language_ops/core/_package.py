"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "4b8d15bf6df4"
