"""`layer_norm_mean` for PyTorch.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("layer_norm_mean")
_runtime.fall_back("layer_norm_mean", _reference)
_op = _runtime.register("layer_norm_mean", rule=("op layer_norm_mean -> mean", "refuse x"))
_runtime.count_flops(_op, lambda x, **_: prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def layer_norm_mean(x: Tensor, *, normalized_shape: Sequence[int]) -> Tensor:
    """The mean of each row of `x`. A step of `layer_norm`.

    Args:
        x (Tensor): shape `(*batch, *normalized_shape)`, float32, bfloat16, float16 or float64.
        normalized_shape (Sequence[int])

    Returns:
        Tensor: shape `(*batch)`, float32 (float64 if `x` is float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x, normalized_shape)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("layer_norm_mean", error, x, normalized_shape) from None
