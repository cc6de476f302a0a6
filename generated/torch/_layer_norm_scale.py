"""`layer_norm_scale` for PyTorch.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("layer_norm_scale")
_runtime.fall_back("layer_norm_scale", _reference)
_op = _runtime.register(
    "layer_norm_scale", rule=("op layer_norm_scale -> y rstd", "refuse x mean variance weight bias")
)
_runtime.count_flops(_op, lambda x, **_: 4 * prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def layer_norm_scale(
    x: Tensor,
    mean: Tensor,
    variance: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    *,
    normalized_shape: Sequence[int],
    eps: float = 1e-05,
) -> tuple[Tensor, Tensor]:
    """Rows of `x` minus their mean, divided by their standard deviation, scaled and shifted. A step
    of `layer_norm`.

    Args:
        x (Tensor): shape `(*batch, *normalized_shape)`, float32, bfloat16, float16 or float64.
        mean (Tensor): shape `(*batch)`, float32 (float64 if `x` is float64).
        variance (Tensor): shape `(*batch)`, the dtype of `mean`.
        weight (Tensor, optional): shape `(*normalized_shape)`, float32, bfloat16, float16 or
            float64.
        bias (Tensor, optional): shape `(*normalized_shape)`, float32, bfloat16, float16 or float64.
        normalized_shape (Sequence[int])
        eps (float): at least 0. Default: 1e-05.

    Returns:
        A tuple of

        - y (Tensor): shape `(*batch, *normalized_shape)`, the dtype of `x`.
        - rstd (Tensor): shape `(*batch)`, the dtype of `mean`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            x, mean, variance, weight, bias, normalized_shape, eps
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "layer_norm_scale", error, x, mean, variance, weight, bias, normalized_shape, eps
        ) from None
