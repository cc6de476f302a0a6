"""`column_sums` for PyTorch.

Rendered by opgen from columns.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("columns", "column_sums")
_runtime.fall_back("column_sums", _reference)
_runtime.define_gradient(
    "column_sums", "(Tensor? dsums, Tensor x, bool[] needed) -> (Tensor)", _reference, wanted=("x",)
)
_op = _runtime.register(
    "column_sums",
    rule=(
        "op column_sums -> sums",
        "call column_sums_reference_vjp cotangent?:sums input:x needed -> x",
    ),
    reference=_reference,
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def column_sums(x: Tensor) -> Tensor:
    """The sum of each column of `x`.

    Args:
        x (Tensor): shape `(n, d)`, float32 or float64.

    Returns:
        Tensor: shape `(d,)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("column_sums", error, x) from None
