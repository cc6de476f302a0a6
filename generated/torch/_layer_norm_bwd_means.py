"""`layer_norm_bwd_means` for PyTorch.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_op = _runtime.register(
    "layer_norm_bwd_means",
    rule=("op layer_norm_bwd_means -> g_mean gh_mean", "refuse dy x mean rstd weight"),
)
_runtime.count_flops(_op, lambda x, **_: 5 * prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def layer_norm_bwd_means(
    dy: Tensor, x: Tensor, mean: Tensor, rstd: Tensor, weight: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The means of `g = dy * weight` and of `g * (x - mean) * rstd` in each row. A step of
    `layer_norm_bwd`.

    Args:
        dy (Tensor): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        x (Tensor): shape `(*batch, *norm)`, the dtype of `dy`.
        mean (Tensor): shape `(*batch)`, float32 (float64 if `dy` is float64).
        rstd (Tensor): shape `(*batch)`, the dtype of `mean`.
        weight (Tensor, optional): shape `(*norm)`, float32, bfloat16, float16 or float64.

    Returns:
        A tuple of

        - g_mean (Tensor): shape `(*batch)`, the dtype of `mean`.
        - gh_mean (Tensor): shape `(*batch)`, the dtype of `mean`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(dy, x, mean, rstd, weight)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("layer_norm_bwd_means", error, dy, x, mean, rstd, weight) from None
