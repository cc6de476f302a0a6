"""PyTorch's counterparts of the ops in specs/, in PyTorch's own operators.

They are top-level functions of a module, because worker processes import them.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F


def rms_norm(x: Tensor, weight: Tensor, *, eps: float) -> Tensor:
    return F.rms_norm(x, weight.shape, weight, eps)


def layer_norm(x, weight=None, bias=None, *, normalized_shape, eps):
    return F.layer_norm(x, normalized_shape, weight, bias, eps)


def silu_and_mul(x: Tensor) -> Tensor:
    gate, up = x.chunk(2, dim=-1)
    return F.silu(gate) * up


def cross_entropy(logits: Tensor, labels: Tensor, **attrs: object) -> Tensor:
    rows = logits.movedim(-1, 1) if logits.ndim > 1 else logits
    return F.cross_entropy(rows, labels.long(), **attrs)


def embedding(weight: Tensor, indices: Tensor, **attrs: object) -> Tensor:
    return F.embedding(indices, weight)


def adamw_(params, grads, exp_avgs, exp_avg_sqs, step, lr, largest=None, **attrs):
    steps = [step + 1 for _ in params]
    moments = exp_avgs, exp_avg_sqs, largest or []
    torch._fused_adamw_(params, grads, *moments, steps, lr=lr, **attrs)
    return (params, *moments)
