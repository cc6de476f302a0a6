"""Five parts of a `LlamaForCausalLM`, swapped for ops: the sixth is the optimizer.

`patch` swaps the layers that have their own forward: norms, SwiGLU and embedding. Each swapped part
keeps its parameters under their names, so checkpoints stay valid.
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
    """Swap the parts of `model`, in place."""
    patch(model)
    for part in model.modules():
        if type(part) is llama.LlamaAttention:
            part.__class__ = Attention
    model.loss_function = loss
    return model


def rotate(
    q: Tensor, k: Tensor, cos: Tensor, sin: Tensor, unsqueeze_dim: int = 1
) -> tuple[Tensor, Tensor]:
    """Replace attention's `apply_rotary_pos_emb`. Rows with the same positions share angles."""
    if len(cos) == 1:
        cos, sin = cos[0], sin[0]
    return apply_rotary(q, k, cos, sin, order="HSD" if unsqueeze_dim == 1 else "SHD")


def with_names(function: Callable, **names: object) -> FunctionType:
    """`function`, for which these global names mean something else."""
    own = inspect.unwrap(function)
    return FunctionType(own.__code__, own.__globals__ | names, own.__name__, own.__defaults__)


class Attention(llama.LlamaAttention):
    """Attention of transformers, caches and masks included, with our rotation."""

    forward = with_names(llama.LlamaAttention.forward, apply_rotary_pos_emb=rotate)


def loss(logits: Tensor, labels: Tensor, vocab_size: int, **_: object) -> Tensor:
    """The loss of the next token. The op computes in f32, so logits need not be cast."""
    labels = F.pad(labels, (0, 1), value=-100)[..., 1:]
    return cross_entropy(logits, labels.contiguous())
