"""Formats in which others describe ops: one module for each, over one description of an op."""

# The formats that ops are exported to, and those that definitions are imported from.
EXPORTED = ("flashinfer", "kernelbench", "gpumode")
IMPORTED = ("flashinfer",)


class Refused(Exception):
    """A reason why a format cannot say an op, or why a definition makes no op."""
