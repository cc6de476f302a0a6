"""`weighted_cross_entropy_total` for PyTorch.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("weighted_cross_entropy_total")
_runtime.fall_back("weighted_cross_entropy_total", _reference)
_op = _runtime.register(
    "weighted_cross_entropy_total",
    rule=("op weighted_cross_entropy_total -> total count", "refuse logits top weight"),
)
_runtime.count_flops(_op, lambda logits, **_: 2 * prod(logits))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def weighted_cross_entropy_total(
    logits: Tensor,
    labels: Tensor,
    top: Tensor,
    first: Tensor,
    weight: Tensor | None = None,
    *,
    c: int,
    classes: str = "last",
    ignore_index: int = -100,
    reduction: str = "mean",
) -> tuple[Tensor, Tensor | None]:
    """The sum of exp(logits - top) of each position, and the sum of the weights of the labels. A
    step of `weighted_cross_entropy`.

    Args:
        logits (Tensor): shape `(*batch, v)` or shape `(n, v, *d)`, float32, bfloat16, float16 or
            float64.
        labels (Tensor): shape `(*batch)` or shape `(n, *d)`, int64 or int32.
        top (Tensor): shape `(*batch)` or shape `(n, *d)`, float32 (float64 if `logits` is float64).
        first (Tensor): scalar, int64.
        weight (Tensor, optional): shape `(v,)`, the dtype of `top`.
        c (int): The number of classes on all shards. At least 1.
        classes (str): one of 'last', 'second'. Default: 'last'.
        ignore_index (int): Default: -100.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.

    Returns:
        A tuple of

        - total (Tensor): shape `(*batch)` or shape `(n, *d)`, the dtype of `top`.
        - count (Tensor, optional): scalar, the dtype of `top`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            logits,
            labels,
            top,
            _runtime.number(first, "i64", logits),
            weight,
            c,
            classes,
            ignore_index,
            reduction,
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "weighted_cross_entropy_total",
            error,
            logits,
            labels,
            top,
            _runtime.number(first, "i64", logits),
            weight,
            c,
            classes,
            ignore_index,
            reduction,
        ) from None
