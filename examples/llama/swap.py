"""Replace five parts of a `LlamaForCausalLM` by opgen's ops. (The sixth part is the optimizer.)

`patch` replaces the modules with their own forward: norms, SwiGLU and embedding. This module
replaces the rotation and the loss. Each part keeps its parameters and their names, so checkpoints
stay valid.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType

from torch import Tensor
from torch.nn import functional as F
from transformers import LlamaForCausalLM
from transformers.models.llama import modeling_llama as llama

from generated.torch import apply_rotary, cross_entropy, patch


def swap(model: LlamaForCausalLM) -> LlamaForCausalLM:
    """Replace the parts of `model` in place, and return `model`."""
    patch(model)
    for part in model.modules():
        if type(part) is llama.LlamaAttention:
            part.__class__ = Attention
    model.loss_function = loss
    return model


def rotate(
    q: Tensor, k: Tensor, cos: Tensor, sin: Tensor, unsqueeze_dim: int = 1
) -> tuple[Tensor, Tensor]:
    """Rotate `q` and `k` with opgen's op, in place of transformers' `apply_rotary_pos_emb`.

    If `cos` and `sin` have only one row, all rows of the batch use it.
    """
    if len(cos) == 1:
        cos, sin = cos[0], sin[0]
    return apply_rotary(q, k, cos, sin, order="HSD" if unsqueeze_dim == 1 else "SHD")


def with_names(function: Callable, **names: object) -> FunctionType:
    """Return a copy of `function` in which these global names have other values."""
    own = inspect.unwrap(function)
    return FunctionType(own.__code__, own.__globals__ | names, own.__name__, own.__defaults__)


class Attention(llama.LlamaAttention):
    """The attention of transformers, including caches and masks, with opgen's op for the rotation."""

    forward = with_names(llama.LlamaAttention.forward, apply_rotary_pos_emb=rotate)


def loss(logits: Tensor, labels: Tensor, vocab_size: int, **_: object) -> Tensor:
    """Return the mean loss of the next tokens. The op computes in f32, so the caller need not cast
    the logits.
    """
    labels = F.pad(labels, (0, 1), value=-100)[..., 1:]
    return cross_entropy(logits, labels.contiguous())
