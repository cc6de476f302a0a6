"""`linear_cross_entropy_loss` for PyTorch.

Rendered by opgen from linear_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("linear_cross_entropy_loss")
_runtime.fall_back("linear_cross_entropy_loss", _reference)
_op = _runtime.register(
    "linear_cross_entropy_loss",
    rule=("op linear_cross_entropy_loss -> loss log_sum count", "refuse hidden top total at_label"),
)
_runtime.count_flops(_op, lambda labels, **_: 4 * prod(labels))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def linear_cross_entropy_loss(
    hidden: Tensor,
    labels: Tensor,
    top: Tensor,
    total: Tensor,
    at_label: Tensor,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> tuple[Tensor, Tensor, Tensor | None]:
    """The loss, computed from its terms. A step of `linear_cross_entropy`.

    Args:
        hidden (Tensor): Only its dtype is used. Shape `(*batch, d)`, float32, bfloat16, float16 or
            float64.
        labels (Tensor): shape `(*batch)`, int64 or int32.
        top (Tensor): shape `(*batch)`, float32 (float64 if `hidden` is float64).
        total (Tensor): shape `(*batch)`, the dtype of `top`.
        at_label (Tensor): shape `(*batch)`, the dtype of `top`.
        ignore_index (int): Default: -100.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.

    Returns:
        A tuple of

        - loss (Tensor): shape `(*batch)` or scalar, the dtype of `top`.
        - log_sum (Tensor): shape `(*batch)`, the dtype of `top`.
        - count (Tensor, optional): scalar, the dtype of `top`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            hidden, labels, top, total, at_label, ignore_index, reduction
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "linear_cross_entropy_loss",
            error,
            hidden,
            labels,
            top,
            total,
            at_label,
            ignore_index,
            reduction,
        ) from None
