"""Layers that `patch` replaces with the op `relu`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from generated.torch import Patch, register_patch, relu

__all__: list[str] = []

FLOATS = (torch.float32, torch.bfloat16, torch.float16, torch.float64)


@register_patch
class _ReLU(Patch):
    """A patch of `ReLU`, whose forward calls `relu`."""

    op = "relu"
    of = ("torch.nn.ReLU",)
    reads = ("inplace",)
    dtypes = {"input": (*FLOATS, torch.int8, torch.int32)}

    def unmet(self: Any) -> Iterator[str]:
        if self.inplace:
            yield "not self.inplace"

    def forward(self: Any, input: Tensor) -> Any:
        if not self.takes("input", input):
            return super().forward(input)
        return relu(input)
