"""`cross_entropy` for PyTorch.

Rendered by opgen from cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("cross_entropy")
_op = _runtime.register(
    "cross_entropy",
    rule=(
        "op cross_entropy -> loss top rest count",
        "residual top rest count",
        "call cross_entropy_bwd cotangent:loss input:logits input:labels result:top result:rest "
        "result:count input:ignore_index input:label_smoothing input:reduction -> logits",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda logits, **_: 3 * prod(logits))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def cross_entropy(
    logits: Tensor,
    labels: Tensor,
    *,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> Tensor:
    """Softmax cross-entropy of `logits` against integer `labels`.

    Args:
        logits (Tensor): shape `(*batch, c)`, float32, bfloat16, float16 or float64.
        labels (Tensor): shape `(*batch)`, int64 or int32.
        ignore_index (int): Default: -100.
        label_smoothing (float): at least 0, at most 1. Default: 0.0.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.

    Returns:
        Tensor: shape `(*batch)` or scalar, float32 (float64 if `logits` is float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        loss, _, _, _ = (_traced if is_dynamo_compiling() else _eager)(
            logits, labels, ignore_index, label_smoothing, reduction
        )
        return loss
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "cross_entropy", error, logits, labels, ignore_index, label_smoothing, reduction
        ) from None
