"""`soft_cross_entropy` for PyTorch.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("soft_cross_entropy")
_op = _runtime.register(
    "soft_cross_entropy",
    rule=(
        "op soft_cross_entropy -> loss top rest mass",
        "residual top rest mass",
        "let positions 1 input:logits sizes prod input:classes 'last' == input:logits sizes -1 "
        "item input:logits sizes 1 item where // max",
        "call soft_cross_entropy_bwd cotangent:loss input:logits input:target result:top "
        "result:rest result:mass input:weight let:positions input:label_smoothing input:reduction "
        "input:classes wanted -> logits target",
        "refuse weight",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda logits, **_: 6 * prod(logits))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def soft_cross_entropy(
    logits: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    *,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    classes: str = "last",
) -> Tensor:
    """Softmax cross-entropy of `logits` against the probabilities `target`, with optional weights
    of classes.

    Args:
        logits (Tensor): shape `(*batch, c)` or shape `(n, c, *d)`, float32, bfloat16, float16 or
            float64.
        target (Tensor): shape `(*batch, c)` or shape `(n, c, *d)`, the dtype of `logits`.
        weight (Tensor, optional): The weight of each class. Shape `(c,)`, float32 (float64 if
            `logits` is float64).
        label_smoothing (float): at least 0, at most 1. Default: 0.0.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.
        classes (str): The dim of `logits` that holds the classes. In PyTorch's function it is the
            second. One of 'last', 'second'. Default: 'last'.

    Returns:
        Tensor: scalar, shape `(*batch)` or shape `(n, *d)`, float32 (float64 if `logits` is
            float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        loss, _, _, _ = (_traced if is_dynamo_compiling() else _eager)(
            logits, target, weight, label_smoothing, reduction, classes
        )
        return loss
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "soft_cross_entropy", error, logits, target, weight, label_smoothing, reduction, classes
        ) from None
