"""Export ops to the formats of benchmarks, and import them. Each format has a module."""

# The formats for exporting ops, and the formats for importing definitions.
EXPORTED = ("flashinfer", "kernelbench", "gpumode")
IMPORTED = ("flashinfer",)


class Refused(Exception):
    """Error: a format cannot express an op, or a definition cannot be imported as an op.

    The message is the reason.
    """
