"""`cross_entropy_loss` for PyTorch.

Rendered by opgen from cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("cross_entropy_loss")
_runtime.fall_back("cross_entropy_loss", _reference)
_op = _runtime.register(
    "cross_entropy_loss",
    rule=("op cross_entropy_loss -> loss rest count", "refuse logits total missed below"),
)
_runtime.count_flops(_op, lambda labels, **_: 6 * prod(labels))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def cross_entropy_loss(
    logits: Tensor,
    labels: Tensor,
    total: Tensor,
    missed: Tensor,
    below: Tensor | None = None,
    *,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> tuple[Tensor, Tensor, Tensor | None]:
    """The loss, computed from its terms. A step of `cross_entropy`.

    Args:
        logits (Tensor): Only its dtype is used. Shape `(*batch, v)`, float32, bfloat16, float16 or
            float64.
        labels (Tensor): shape `(*batch)`, int64 or int32.
        total (Tensor): shape `(*batch)`, float32 (float64 if `logits` is float64).
        missed (Tensor): shape `(*batch)`, the dtype of `total`.
        below (Tensor, optional): shape `(*batch)`, the dtype of `total`.
        ignore_index (int): Default: -100.
        label_smoothing (float): at least 0, at most 1. Default: 0.0.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.

    Returns:
        A tuple of

        - loss (Tensor): shape `(*batch)` or scalar, the dtype of `total`.
        - rest (Tensor): shape `(*batch)`, the dtype of `total`.
        - count (Tensor, optional): scalar, the dtype of `total`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            logits, labels, total, missed, below, ignore_index, label_smoothing, reduction
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "cross_entropy_loss",
            error,
            logits,
            labels,
            total,
            missed,
            below,
            ignore_index,
            label_smoothing,
            reduction,
        ) from None
