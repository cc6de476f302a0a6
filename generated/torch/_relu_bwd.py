"""`relu_bwd` for PyTorch.

Rendered by opgen from relu.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_op = _runtime.register(
    "relu_bwd", rule=("op relu_bwd -> dx", "formula dy input:y 0 <= 0 cotangent:dx where", "zero y")
)
_runtime.count_flops(_op, lambda dy, **_: prod(dy))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def relu_bwd(dy: Tensor, y: Tensor) -> Tensor:
    """Gradient of `relu`: 0 where `y <= 0`, otherwise `dy`, also where `y` is NaN.

    Args:
        dy (Tensor): shape `(*s)`, float32, bfloat16, float16 or float64.
        y (Tensor): shape `(*s)`, the dtype of `dy`.

    Returns:
        Tensor: shape `(*s)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(dy, y)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("relu_bwd", error, dy, y) from None
