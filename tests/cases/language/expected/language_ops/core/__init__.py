"""The checks of calls to each op, without any framework. Rendered by opgen.

`<op>.infer` checks a call and returns the shapes and dtypes of its results. `<op>.pack` and
`<op>.unpack` convert the kernel's descriptor.
"""

from __future__ import annotations

from importlib import import_module

from .._opgen.core.runtime import CoreOp, TensorSpec

__all__ = [
    "CoreOp",
    "TensorSpec",
    "accumulate",
    "average_",
    "bin_sums",
    "column_sums",
    "column_totals",
    "head_norms",
    "heads_first",
    "last_token",
    "linear",
    "linear_bwd",
    "masked",
    "moments",
    "momentum_",
    "moved",
    "polynomial",
    "row_sums",
    "scale_all",
    "scaled",
    "segment_sums",
    "split_rows",
    "square",
    "squash",
    "storable",
    "swap_bytes",
    "transposed_quantize",
    "unit_rows",
    "unit_rows_dw",
    "unit_rows_dx",
    "window_sums",
]


def __getattr__(name: str) -> CoreOp:
    """Return an op. The first use imports the module of the op."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    op: CoreOp = getattr(import_module(f"._{name}", __name__), name)
    globals()[name] = op
    return op


def __dir__() -> list[str]:
    return __all__
