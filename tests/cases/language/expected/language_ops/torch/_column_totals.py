"""`column_totals` for PyTorch.

Rendered by opgen from parts.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("column_totals")
_runtime.define_gradient(
    "column_totals",
    "(Tensor? dy, Tensor? dsums, Tensor x, SymInt parts, bool[] needed) -> (Tensor)",
    _reference,
    wanted=("x",),
)
_op = _runtime.register(
    "column_totals",
    rule=(
        "op column_totals -> y sums",
        "call column_totals_reference_vjp cotangent?:y cotangent?:sums input:x input:parts needed "
        "-> x",
    ),
    reference=_reference,
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def column_totals(x: Tensor) -> tuple[Tensor, Tensor]:
    """The sums of the columns of `x`: of as many ranges of rows as suit the device, then of those.

    Args:
        x (Tensor): shape `(m, n)`, float32 or float64.

    Returns:
        A tuple of

        - y (Tensor): shape `(n,)`, the dtype of `x`.
        - sums (Tensor): shape `(parts, n)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    (parts,) = _runtime.sizes("column_totals", ("parts",), x)
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x, parts)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("column_totals", error, x, parts) from None
