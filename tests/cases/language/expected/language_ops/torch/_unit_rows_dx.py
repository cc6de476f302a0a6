"""`unit_rows_dx` for PyTorch.

Rendered by opgen from rows.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_op = _runtime.register("unit_rows_dx", rule=("op unit_rows_dx -> dx", "refuse dy x weight length"))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def unit_rows_dx(dy: Tensor, x: Tensor, weight: Tensor, length: Tensor) -> Tensor:
    """Gradient of `unit_rows` with respect to `x`.

    Args:
        dy (Tensor): shape `(*batch, d)`, float32 or float64.
        x (Tensor): shape `(*batch, d)`, the dtype of `dy`.
        weight (Tensor): shape `(d,)`, the dtype of `dy`.
        length (Tensor): shape `(*batch)`, the dtype of `dy`.

    Returns:
        Tensor: shape `(*batch, d)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(dy, x, weight, length)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("unit_rows_dx", error, dy, x, weight, length) from None
