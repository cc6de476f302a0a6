"""Python expressions that create a problem's random inputs in PyTorch."""

from __future__ import annotations

from opgen.exchange.problem import Problem, Value
from opgen.language.dtypes import DTYPES

# The dtypes of which PyTorch can create random tensors.
DTYPES_THERE = tuple(n for n, d in DTYPES.items() if d.bits >= 8 and d.kind != "complex")


def drawn(problem: Problem, value: Value, generator: str = "") -> str:
    """Return the expression that creates a random tensor for `value`.

    If the size of an axis is not fixed, the expression contains the name of the axis.
    """
    shape = "".join(f"{_size(problem, axis)}, " for axis in value.shape or ())
    kind, dtype = DTYPES[value.dtype].kind, f"torch.{DTYPES[value.dtype].torch}"
    if kind in ("int", "uint", "bool"):
        return f"torch.randint(0, 2, ({shape}){generator}).to({dtype})"
    return f"torch.randn(({shape}){generator}).to({dtype})"


def _size(problem: Problem, axis: str) -> str:
    size = problem.axes[axis]
    return axis if size is None else str(size)
