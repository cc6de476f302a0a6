"""`tensor_negate` for PyTorch.

Rendered by opgen from tensor_negate.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("tensor_negate")
_op = _runtime.register(
    "tensor_negate",
    rule=("op tensor_negate -> y", "formula x cotangent:y neg"),
    reference=_reference,
)
_runtime.count_flops(_op, lambda x, **_: prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def tensor_negate(x: Tensor) -> Tensor:
    """Elementwise `-x`.

    Args:
        x (Tensor): shape `(*s)`, float32, float64 or int8.

    Returns:
        Tensor: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("tensor_negate", error, x) from None
