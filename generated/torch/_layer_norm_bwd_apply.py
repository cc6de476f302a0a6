"""`layer_norm_bwd_apply` for PyTorch.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection
from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_op = _runtime.register(
    "layer_norm_bwd_apply",
    rule=(
        "op layer_norm_bwd_apply -> dx dweight dbias",
        "refuse dy x mean rstd weight g_mean gh_mean",
    ),
)
_runtime.count_flops(_op, lambda x, **_: 8 * prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def layer_norm_bwd_apply(
    dy: Tensor,
    x: Tensor,
    mean: Tensor,
    rstd: Tensor,
    weight: Tensor | None = None,
    g_mean: Tensor | None = None,
    gh_mean: Tensor | None = None,
    *,
    wanted: Collection[str] = ("dx", "dweight", "dbias"),
) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
    """The requested gradients of `layer_norm`, computed from the means of its rows. A step of
    `layer_norm_bwd`.

    Args:
        dy (Tensor): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        x (Tensor): shape `(*batch, *norm)`, the dtype of `dy`.
        mean (Tensor): shape `(*batch)`, float32 (float64 if `dy` is float64).
        rstd (Tensor): shape `(*batch)`, the dtype of `mean`.
        weight (Tensor, optional): shape `(*norm)`, float32, bfloat16, float16 or float64.
        g_mean (Tensor, optional): shape `(*batch)`, the dtype of `mean`.
        gh_mean (Tensor, optional): shape `(*batch)`, the dtype of `mean`.
        wanted (Collection[str]): results to compute, of "dx", "dweight", "dbias". The others are
            None. Default: all.

    Returns:
        A tuple of

        - dx (Tensor, optional): shape `(*batch, *norm)`, the dtype of `dy`.
        - dweight (Tensor, optional): shape `(*norm)`, the dtype of `mean`.
        - dbias (Tensor, optional): shape `(*norm)`, the dtype of `mean`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            dy,
            x,
            mean,
            rstd,
            weight,
            g_mean,
            gh_mean,
            _runtime.wanted_bits("layer_norm_bwd_apply", wanted),
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "layer_norm_bwd_apply", error, dy, x, mean, rstd, weight, g_mean, gh_mean
        ) from None
