"""Layers that `patch` replaces with the op `weighted_cross_entropy`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from . import Patch, register_patch, weighted_cross_entropy

__all__: list[str] = []

FLOATS = (torch.float32, torch.bfloat16, torch.float16, torch.float64)


@register_patch
class _CrossEntropyLoss(Patch):
    """A patch of `CrossEntropyLoss`, whose forward calls `weighted_cross_entropy`."""

    op = "weighted_cross_entropy"
    of = ("torch.nn.CrossEntropyLoss",)
    reads = ("weight", "ignore_index", "label_smoothing", "reduction")
    dtypes = {
        "input": FLOATS,
        "target": (torch.int64, torch.int32),
    }

    def unmet(self: Any) -> Iterator[str]:
        if self.weight is None:
            yield "self.weight is not None"
        if not self.label_smoothing >= 0.0:
            yield "self.label_smoothing >= 0.0"
        if not self.label_smoothing <= 1.0:
            yield "self.label_smoothing <= 1.0"
        if self.reduction not in ("none", "mean", "sum"):
            yield 'self.reduction in ("none", "mean", "sum")'

    def forward(self: Any, input: Tensor, target: Tensor) -> Any:
        if (
            not self.takes("input", input)
            or not self.takes("target", target)
            or input.ndim in (0, 1)
            or input.dtype != self.weight.dtype
            or input.dtype not in (torch.float32, torch.float64)
            or self.autocast(input)
        ):
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
