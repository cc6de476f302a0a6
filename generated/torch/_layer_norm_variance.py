"""`layer_norm_variance` for PyTorch.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("layer_norm_variance")
_runtime.fall_back("layer_norm_variance", _reference)
_op = _runtime.register(
    "layer_norm_variance", rule=("op layer_norm_variance -> variance", "refuse x mean")
)
_runtime.count_flops(_op, lambda x, **_: 3 * prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def layer_norm_variance(x: Tensor, mean: Tensor, *, normalized_shape: Sequence[int]) -> Tensor:
    """The mean of the squares of `x - mean` in each row. A step of `layer_norm`.

    Args:
        x (Tensor): shape `(*batch, *normalized_shape)`, float32, bfloat16, float16 or float64.
        mean (Tensor): shape `(*batch)`, float32 (float64 if `x` is float64).
        normalized_shape (Sequence[int])

    Returns:
        Tensor: shape `(*batch)`, the dtype of `mean`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x, mean, normalized_shape)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("layer_norm_variance", error, x, mean, normalized_shape) from None
