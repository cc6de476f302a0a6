"""Layers that `patch` replaces with the op `conv2d`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from . import Patch, conv2d, register_patch

__all__: list[str] = []

FLOATS = (torch.float32, torch.bfloat16, torch.float16, torch.float64)


@register_patch
class _Conv2d(Patch):
    """A patch of `Conv2d`, whose forward calls `conv2d`."""

    op = "conv2d"
    of = ("torch.nn.Conv2d",)
    reads = ("weight", "bias", "stride", "padding", "dilation", "groups", "padding_mode")
    dtypes = {"input": FLOATS, "weight": FLOATS, "bias": FLOATS}

    def unmet(self: Any) -> Iterator[str]:
        if self.padding_mode != "zeros":
            yield 'self.padding_mode == "zeros"'
        if isinstance(self.padding, str):
            yield "not isinstance(self.padding, str)"
        for name, least in (("stride", 1), ("padding", 0), ("dilation", 1)):
            of = getattr(self, name)
            if not (isinstance(of, list | tuple) and len(of) == 2):
                yield f"isinstance(self.{name}, (list, tuple)) and len(self.{name}) == 2"
            elif not min(of) >= least:
                yield f"min(self.{name}) >= {least}"
        if not self.groups >= 1:
            yield "self.groups >= 1"

    def slower(self: Any) -> str:
        weight = self.weight  # oneDNN's f32 kernels are faster (docs/benchmarks.md)
        if weight is None or weight.device.type != "cpu" or weight.dtype != torch.float32:
            return ""
        return "on CPUs in f32 with several channels" if weight.shape[1] > 1 else ""

    def forward(self: Any, input: Tensor) -> Any:
        if not self.takes("input", input) or input.ndim != 4 or self.autocast(input):
            return super().forward(input)
        return conv2d(
            input,
            self.weight,
            self.bias,
            stride=self.stride,
            padding=self.padding,
            dilation=self.dilation,
            groups=self.groups,
        )
