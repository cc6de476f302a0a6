"""`cross_entropy_bwd_part` for PyTorch.

Rendered by opgen from cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("cross_entropy_bwd_part")
_runtime.fall_back("cross_entropy_bwd_part", _reference)
_op = _runtime.register(
    "cross_entropy_bwd_part",
    rule=("op cross_entropy_bwd_part -> dlogits", "refuse dloss logits top rest count"),
)
_runtime.count_flops(_op, lambda logits, **_: 2 * prod(logits))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def cross_entropy_bwd_part(
    dloss: Tensor,
    logits: Tensor,
    labels: Tensor,
    top: Tensor,
    rest: Tensor,
    first: Tensor,
    count: Tensor | None = None,
    *,
    c: int,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> Tensor:
    """The gradient of `cross_entropy` for some of the classes. A step of `cross_entropy_bwd`.

    Args:
        dloss (Tensor): shape `(*batch)` or scalar, float32 (float64 if `logits` is float64).
        logits (Tensor): shape `(*batch, v)`, float32, bfloat16, float16 or float64.
        labels (Tensor): shape `(*batch)`, int64 or int32.
        top (Tensor): shape `(*batch)`, the dtype of `dloss`.
        rest (Tensor): shape `(*batch)`, the dtype of `dloss`.
        first (Tensor): scalar, int64.
        count (Tensor, optional): scalar, the dtype of `dloss`.
        c (int): The number of classes on all shards. At least 1.
        ignore_index (int): Default: -100.
        label_smoothing (float): at least 0, at most 1. Default: 0.0.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.

    Returns:
        Tensor: shape `(*batch, v)`, the dtype of `logits`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            dloss,
            logits,
            labels,
            top,
            rest,
            _runtime.number(first, "i64", dloss),
            _runtime.number(count, dloss, top, rest),
            c,
            ignore_index,
            label_smoothing,
            reduction,
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "cross_entropy_bwd_part",
            error,
            dloss,
            logits,
            labels,
            top,
            rest,
            _runtime.number(first, "i64", dloss),
            _runtime.number(count, dloss, top, rest),
            c,
            ignore_index,
            label_smoothing,
            reduction,
        ) from None
