"""`cross_entropy` for PyTorch.

Rendered by opgen from cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("cross_entropy", "cross_entropy")
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


@_runtime.offer
class _ForCrossEntropyLoss(_runtime.Patch):
    """A layer whose forward is `cross_entropy`."""

    op = "cross_entropy"
    of = ("torch.nn.CrossEntropyLoss",)
    reads = ("ignore_index", "label_smoothing", "reduction", "weight")
    dtypes = {
        "input": (torch.float32, torch.bfloat16, torch.float16, torch.float64),
        "target": (torch.int64, torch.int32),
    }

    def unmet(self: Any) -> Iterator[str]:
        """Yield each condition that the layer must meet and does not."""
        if self.weight is not None:
            yield "self.weight is None"
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
        if input.ndim not in (1, 2):
            return super().forward(input, target)
        if self.autocast(input):
            return super().forward(input, target)
        loss = cross_entropy(
            input,
            target,
            ignore_index=self.ignore_index,
            label_smoothing=self.label_smoothing,
            reduction=self.reduction,
        )
        return loss.to(input.dtype)
