"""The element types of the spec language. The runtime in rendered packages has the same list."""

from opgen.runtime.core.dtypes import DTYPES, DType, Kind, accum, promote, real

__all__ = ["DTYPES", "DType", "Kind", "accum", "promote", "real"]
