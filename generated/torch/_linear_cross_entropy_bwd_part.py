"""`linear_cross_entropy_bwd_part` for PyTorch.

Rendered by opgen from linear_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection
from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("linear_cross_entropy_bwd_part")
_runtime.fall_back("linear_cross_entropy_bwd_part", _reference)
_op = _runtime.register(
    "linear_cross_entropy_bwd_part",
    rule=(
        "op linear_cross_entropy_bwd_part -> dhidden dweight",
        "refuse dloss hidden weight top log_sum count",
    ),
)
_runtime.count_flops(_op, lambda hidden, weight, **_: 6 * prod(hidden) * weight[0])
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def linear_cross_entropy_bwd_part(
    dloss: Tensor,
    hidden: Tensor,
    weight: Tensor,
    labels: Tensor,
    top: Tensor,
    log_sum: Tensor,
    first: Tensor,
    count: Tensor | None = None,
    *,
    c: int,
    ignore_index: int = -100,
    reduction: str = "mean",
    wanted: Collection[str] = ("dhidden", "dweight"),
) -> tuple[Tensor | None, Tensor | None]:
    """The gradients of `linear_cross_entropy` from some of the classes. A step of
    `linear_cross_entropy_bwd`.

    Args:
        dloss (Tensor): shape `(*batch)` or scalar, float32 (float64 if `hidden` is float64).
        hidden (Tensor): shape `(*batch, d)`, float32, bfloat16, float16 or float64.
        weight (Tensor): shape `(v, d)`, the dtype of `hidden`.
        labels (Tensor): shape `(*batch)`, int64 or int32.
        top (Tensor): shape `(*batch)`, the dtype of `dloss`.
        log_sum (Tensor): shape `(*batch)`, the dtype of `dloss`.
        first (Tensor): scalar, int64.
        count (Tensor, optional): scalar, the dtype of `dloss`.
        c (int): The number of classes on all shards. At least 1.
        ignore_index (int): Default: -100.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.
        wanted (Collection[str]): results to compute, of "dhidden", "dweight". The others are None.
            Default: all.

    Returns:
        A tuple of

        - dhidden (Tensor, optional): shape `(*batch, d)`, the dtype of `dloss`.
        - dweight (Tensor, optional): shape `(v, d)`, the dtype of `hidden`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            dloss,
            hidden,
            weight,
            labels,
            top,
            log_sum,
            _runtime.number(first, "i64", dloss),
            _runtime.number(count, dloss, top, log_sum),
            c,
            ignore_index,
            reduction,
            _runtime.wanted_bits("linear_cross_entropy_bwd_part", wanted),
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "linear_cross_entropy_bwd_part",
            error,
            dloss,
            hidden,
            weight,
            labels,
            top,
            log_sum,
            _runtime.number(first, "i64", dloss),
            _runtime.number(count, dloss, top, log_sum),
            c,
            ignore_index,
            reduction,
        ) from None
