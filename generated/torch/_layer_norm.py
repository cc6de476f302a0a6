"""`layer_norm` for PyTorch.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("layer_norm")
_op = _runtime.register(
    "layer_norm",
    rule=(
        "op layer_norm -> y mean rstd",
        "residual mean rstd",
        "call layer_norm_bwd cotangent:y input:x result:mean result:rstd input:weight input:eps "
        "wanted -> x weight bias",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda x, **_: 7 * prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def layer_norm(
    x: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    *,
    normalized_shape: Sequence[int],
    eps: float = 1e-05,
) -> Tensor:
    """Layer normalization over the trailing dims `normalized_shape`, optionally scaled and shifted.

    Args:
        x (Tensor): shape `(*batch, *normalized_shape)`, float32, bfloat16, float16 or float64.
        weight (Tensor, optional): shape `(*normalized_shape)`, float32, bfloat16, float16 or
            float64.
        bias (Tensor, optional): shape `(*normalized_shape)`, float32, bfloat16, float16 or float64.
        normalized_shape (Sequence[int])
        eps (float): at least 0. Default: 1e-05.

    Returns:
        Tensor: shape `(*batch, *normalized_shape)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        y, _, _ = (_traced if is_dynamo_compiling() else _eager)(
            x, weight, bias, normalized_shape, eps
        )
        return y
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "layer_norm", error, x, weight, bias, normalized_shape, eps
        ) from None
