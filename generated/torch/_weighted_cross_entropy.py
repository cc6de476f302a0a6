"""`weighted_cross_entropy` for PyTorch.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("weighted_cross_entropy")
_op = _runtime.register(
    "weighted_cross_entropy",
    rule=(
        "op weighted_cross_entropy -> loss top rest mass count",
        "residual top rest mass count",
        "call weighted_cross_entropy_bwd cotangent:loss input:logits input:labels result:top "
        "result:rest result:mass result:count input:weight input:label_smoothing input:reduction "
        "input:classes input:ignore_index -> logits",
        "refuse weight",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda logits, **_: 3 * prod(logits))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


@_runtime.tuned("weighted_cross_entropy")
def weighted_cross_entropy(
    logits: Tensor,
    labels: Tensor,
    weight: Tensor | None = None,
    *,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    classes: str = "last",
    ignore_index: int = -100,
) -> Tensor:
    """Softmax cross-entropy of `logits` against integer `labels`, with optional weights of classes
    and a weighted mean.

    Args:
        logits (Tensor): shape `(*batch, c)` or shape `(n, c, *d)`, float32, bfloat16, float16 or
            float64.
        labels (Tensor): shape `(*batch)` or shape `(n, *d)`, int64 or int32.
        weight (Tensor, optional): The weight of each class. Shape `(c,)`, float32 (float64 if
            `logits` is float64).
        label_smoothing (float): at least 0, at most 1. Default: 0.0.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.
        classes (str): The dim of `logits` that holds the classes. In PyTorch's function it is the
            second. One of 'last', 'second'. Default: 'last'.
        ignore_index (int): Default: -100.

    Returns:
        Tensor: scalar, shape `(*batch)` or shape `(n, *d)`, float32 (float64 if `logits` is
            float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        loss, _, _, _, _ = (_traced if is_dynamo_compiling() else _eager)(
            logits, labels, weight, label_smoothing, reduction, classes, ignore_index
        )
        return loss
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "weighted_cross_entropy",
            error,
            logits,
            labels,
            weight,
            label_smoothing,
            reduction,
            classes,
            ignore_index,
        ) from None
