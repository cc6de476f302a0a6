"""Replace `torch.nn.Dropout` in existing models by the op `masked`."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from . import Patch, masked, register_patch

__all__: list[str] = []


@register_patch
class _Dropout(Patch):
    op = "masked"
    of = ("torch.nn.Dropout",)
    reads = ("p", "inplace")
    dtypes = {"input": (torch.float32, torch.bfloat16)}

    def unmet(self: Any) -> Iterator[str]:
        if self.inplace:
            yield "not self.inplace"
        if self.p == 1:
            yield "self.p < 1"

    def forward(self: Any, input: Tensor) -> Tensor:
        if not self.training or not self.takes("input", input):
            return super().forward(input)
        return masked(input, p=self.p)
