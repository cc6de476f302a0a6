"""Export ops to the formats of benchmark projects, and import ops from them.

Each format has a module.
"""

# The formats to which opgen exports ops, and the formats from which it imports definitions.
EXPORTED = ("flashinfer", "kernelbench", "gpumode")
IMPORTED = ("flashinfer",)


class Refused(Exception):
    """Error for an op that a format cannot express, or a definition that cannot become an op.

    The message is the reason.
    """
