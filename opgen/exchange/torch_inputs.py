"""Return Python expressions that create the random inputs of a problem in PyTorch."""

from __future__ import annotations

from opgen.exchange.problem import Problem, Value
from opgen.language.dtypes import DTYPES

# Every dtype in which PyTorch can draw tensors.
DTYPES_THERE = tuple(n for n, d in DTYPES.items() if d.bits >= 8 and d.kind != "complex")


def drawn(problem: Problem, value: Value, generator: str = "") -> str:
    """Return the expression that creates a random tensor for `value`.

    An axis without a fixed size is a variable with the name of the axis.
    """
    shape = "".join(f"{_size(problem, axis)}, " for axis in value.shape or ())
    kind, dtype = DTYPES[value.dtype].kind, f"torch.{DTYPES[value.dtype].torch}"
    if kind in ("int", "uint", "bool"):
        return f"torch.randint(0, 2, ({shape}){generator}).to({dtype})"
    return f"torch.randn(({shape}){generator}).to({dtype})"


def _size(problem: Problem, axis: str) -> str:
    size = problem.axes[axis]
    return axis if size is None else str(size)
