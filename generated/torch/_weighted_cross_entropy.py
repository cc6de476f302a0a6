"""`weighted_cross_entropy` for PyTorch.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("weighted_cross_entropy", "weighted_cross_entropy")
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
    """Softmax cross-entropy of `logits` against integer `labels`, where classes may have weights
    and be the second dim; the mean is weighted.

    Args:
        logits (Tensor): shape `(*batch, c)` or shape `(n, c, *d)`, float32, bfloat16, float16 or
            float64.
        labels (Tensor): shape `(*batch)` or shape `(n, *d)`, int64 or int32.
        weight (Tensor, optional): Of each class. Shape `(c,)`, float32 (float64 if `logits` is
            float64).
        label_smoothing (float): at least 0, at most 1. Default: 0.0.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.
        classes (str): Which dim of `logits` the classes are; in PyTorch's function they are the
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


@_runtime.offer
class _ForCrossEntropyLoss(_runtime.Patch):
    """A layer whose forward is `weighted_cross_entropy`."""

    op = "weighted_cross_entropy"
    of = ("torch.nn.CrossEntropyLoss",)
    reads = ("weight", "ignore_index", "label_smoothing", "reduction")
    dtypes = {
        "input": (torch.float32, torch.bfloat16, torch.float16, torch.float64),
        "target": (torch.int64, torch.int32),
    }

    def unmet(self: Any) -> Iterator[str]:
        """Yield each condition that the layer must meet and does not."""
        if self.weight is None:
            yield "self.weight is not None"
        if not self.label_smoothing >= 0.0:
            yield "self.label_smoothing >= 0.0"
        if not self.label_smoothing <= 1.0:
            yield "self.label_smoothing <= 1.0"
        if self.reduction not in ("none", "mean", "sum"):
            yield 'self.reduction in ("none", "mean", "sum")'

    def forward(self: Any, input: Tensor, target: Tensor) -> Any:
        if not self.takes("input", input):
            return super().forward(input, target)
        if not self.takes("target", target):
            return super().forward(input, target)
        if input.ndim in (0, 1):
            return super().forward(input, target)
        if input.dtype != self.weight.dtype:
            return super().forward(input, target)
        if input.dtype not in (torch.float32, torch.float64):
            return super().forward(input, target)
        if self.autocast(input):
            return super().forward(input, target)
        return weighted_cross_entropy(
            input,
            target,
            self.weight,
            label_smoothing=self.label_smoothing,
            reduction=self.reduction,
            classes="second",
            ignore_index=self.ignore_index,
        )
