"""The Llama's ops in native PyTorch, under the same names as opgen's ops."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor
from torch.nn import functional as F

# `fused` updates all parameters in one kernel, as opgen's `AdamW` does.
AdamW = partial(torch.optim.AdamW, fused=True)


def embedding(weight: Tensor, indices: Tensor) -> Tensor:
    return F.embedding(indices, weight)


def rms_norm(x: Tensor, weight: Tensor, *, eps: float) -> Tensor:
    return F.rms_norm(x, weight.shape, weight, eps)


def rotary(q: Tensor, positions: Tensor, cos_sin: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
    cos, sin = F.embedding(positions, cos_sin).unsqueeze(-2).chunk(2, dim=-1)

    def rotated(x: Tensor) -> Tensor:
        a, b = x.chunk(2, dim=-1)
        return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1)

    return rotated(q), rotated(k)


def silu_and_mul(x: Tensor) -> Tensor:
    gate, up = x.chunk(2, dim=-1)
    return F.silu(gate) * up


def cross_entropy(logits: Tensor, labels: Tensor) -> Tensor:
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten())
