"""`unit_rows` for PyTorch.

Rendered by opgen from rows.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("unit_rows")
_op = _runtime.register(
    "unit_rows",
    rule=(
        "op unit_rows -> y length",
        "residual length",
        "call unit_rows_dx cotangent:y input:x input:weight result:length -> x",
        "call unit_rows_dw cotangent:y input:x result:length -> weight",
    ),
    reference=_reference,
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def unit_rows(x: Tensor, weight: Tensor) -> Tensor:
    """The rows of `x` divided by their lengths, times `weight`.

    Args:
        x (Tensor): shape `(*batch, d)`, float32 or float64.
        weight (Tensor): shape `(d,)`, the dtype of `x`.

    Returns:
        Tensor: shape `(*batch, d)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        y, _ = (_traced if is_dynamo_compiling() else _eager)(x, weight)
        return y
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("unit_rows", error, x, weight) from None
