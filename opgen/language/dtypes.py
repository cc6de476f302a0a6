"""The element types of the spec language: those of the runtime, which packages carry too."""

from opgen.runtime.core.dtypes import DTYPES, DType, Kind, accum, promote, real

__all__ = ["DTYPES", "DType", "Kind", "accum", "promote", "real"]
