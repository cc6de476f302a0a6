"""Layers that `patch` replaces with the op `swiglu`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from . import Patch, register_patch, swiglu

__all__: list[str] = []


@register_patch
class _LlamaMLP(Patch):
    """A patch of `LlamaMLP`, whose forward calls `swiglu`."""

    op = "swiglu"
    of = (
        "transformers.models.llama.modeling_llama.LlamaMLP",
        "transformers.models.mistral.modeling_mistral.MistralMLP",
        "transformers.models.qwen2.modeling_qwen2.Qwen2MLP",
        "transformers.models.qwen3.modeling_qwen3.Qwen3MLP",
        "transformers.models.qwen3_moe.modeling_qwen3_moe.Qwen3MoeMLP",
    )
    reads = ("gate_proj", "up_proj", "act_fn", "down_proj")
    runs = ("gate_proj", "up_proj", "down_proj")

    def unmet(self: Any) -> Iterator[str]:
        if type(self.act_fn).__name__ not in ("SiLU", "SiLUActivation"):
            yield 'type(self.act_fn).__name__ in ("SiLU", "SiLUActivation")'
        if self.act_fn.__module__ not in (torch.nn.SiLU.__module__, "transformers.activations"):
            yield 'self.act_fn.__module__ in (torch.nn.SiLU.__module__, "transformers.activations")'

    def forward(self: Any, x: Tensor) -> Any:
        y = swiglu(self.gate_proj(x), self.up_proj(x))
        return self.down_proj(y)
