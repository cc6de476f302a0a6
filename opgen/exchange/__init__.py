"""Export ops to the formats of benchmark projects, and import ops from them.

Each format has a module.
"""

from opgen.source.failure import Failure

# The formats to which opgen exports ops, and the formats from which it imports definitions.
EXPORTED = ("flashinfer", "kernelbench", "gpumode")
IMPORTED = ("flashinfer",)


class Refused(Failure):
    """Error for an op, definition or candidate kernel that a format or the judge cannot use."""
