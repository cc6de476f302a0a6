"""`linear_cross_entropy` for PyTorch.

Rendered by opgen from linear_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("linear_cross_entropy")
_op = _runtime.register(
    "linear_cross_entropy",
    rule=(
        "op linear_cross_entropy -> loss top log_sum count",
        "residual top log_sum count",
        "call linear_cross_entropy_bwd cotangent:loss input:hidden input:weight input:labels "
        "result:top result:log_sum result:count input:ignore_index input:reduction wanted -> "
        "hidden weight",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda hidden, weight, **_: 2 * prod(hidden) * weight[0])
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def linear_cross_entropy(
    hidden: Tensor,
    weight: Tensor,
    labels: Tensor,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Tensor:
    """Softmax cross-entropy of `hidden @ weight.T` against integer `labels`. Only a part of the
    logits is in memory at a time.

    Args:
        hidden (Tensor): shape `(*batch, d)`, float32, bfloat16, float16 or float64.
        weight (Tensor): shape `(c, d)`, the dtype of `hidden`.
        labels (Tensor): shape `(*batch)`, int64 or int32.
        ignore_index (int): Default: -100.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.

    Returns:
        Tensor: shape `(*batch)` or scalar, float32 (float64 if `hidden` is float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        loss, _, _, _ = (_traced if is_dynamo_compiling() else _eager)(
            hidden, weight, labels, ignore_index, reduction
        )
        return loss
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "linear_cross_entropy", error, hidden, weight, labels, ignore_index, reduction
        ) from None
