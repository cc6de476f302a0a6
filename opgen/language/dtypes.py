"""The element types of the spec language. They are defined in `opgen.runtime`, which rendered
packages also use.
"""

from opgen.runtime.core.dtypes import DTYPES, DType, Kind, accum, promote, real

__all__ = ["DTYPES", "DType", "Kind", "accum", "promote", "real"]
