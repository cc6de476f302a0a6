"""The element types of the spec language, from the runtime that packages include."""

from opgen.runtime.core.dtypes import DTYPES, DType, Kind, accum, promote, real

__all__ = ["DTYPES", "DType", "Kind", "accum", "promote", "real"]
