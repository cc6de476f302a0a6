"""External formats that describe ops: one module per format, based on one description of an op."""

# The formats for exporting ops, and the formats for importing definitions.
EXPORTED = ("flashinfer", "kernelbench", "gpumode")
IMPORTED = ("flashinfer",)


class Refused(Exception):
    """Error: a format cannot express an op, or a definition cannot become an op. The message is the
    reason.
    """
