"""Five parts of a `LlamaForCausalLM`, swapped for ops: the sixth is the optimizer.

`patch` swaps those that are layers with a forward of their own: norms, SwiGLU and embedding.
Each swapped part keeps its parameters, under their names: checkpoints stay what they are.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F
from transformers import LlamaForCausalLM
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS
from transformers.models.llama import modeling_llama as llama

from generated.torch import cross_entropy, patch, rotary


def swap(model: LlamaForCausalLM) -> LlamaForCausalLM:
    """Swap the parts of `model`, in place."""
    patch(model)
    for part in model.modules():
        if type(part) in PARTS:
            part.__class__ = PARTS[type(part)]
    model.loss_function = loss
    return model


class RotaryEmbedding(llama.LlamaRotaryEmbedding):
    """Gives a table with a row for each token, cosines then sines, and its row for each."""

    def forward(self, x: Tensor, position_ids: Tensor) -> tuple[Tensor, Tensor]:
        cos, sin = super().forward(x, position_ids)  # batch tokens d, d//2 of them twice
        half = cos.shape[-1] // 2
        table = torch.cat((cos[..., :half], sin[..., :half]), dim=-1).flatten(0, 1)
        rows = torch.arange(table.shape[0], device=x.device)
        return table, rows if len(position_ids) == 1 else rows.view(position_ids.shape)


class Attention(llama.LlamaAttention):
    """Rotates queries and keys where the projections leave them, heads not yet in front."""

    def forward(
        self,
        hidden_states,
        position_embeddings,
        attention_mask=None,
        past_key_values=None,
        **kwargs,
    ):
        shape = hidden_states.shape[:-1]
        projections = self.q_proj, self.k_proj, self.v_proj
        q, k, v = (p(hidden_states).view(*shape, -1, self.head_dim) for p in projections)
        table, rows = position_embeddings
        q, k = rotary(q, rows, table, k)
        q, k, v = (each.transpose(1, 2) for each in (q, k, v))
        if past_key_values is not None:
            k, v = past_key_values.update(k, v, self.layer_idx)
        attend = ALL_ATTENTION_FUNCTIONS.get_interface(
            self.config._attn_implementation, llama.eager_attention_forward
        )
        out, weights = attend(
            self, q, k, v, attention_mask, scaling=self.scaling, dropout=0.0, **kwargs
        )
        return self.o_proj(out.reshape(*shape, -1)), weights


def loss(logits: Tensor, labels: Tensor, vocab_size: int, **_: object) -> Tensor:
    """The loss of the next token. The op computes in f32, so logits need not be cast."""
    labels = F.pad(labels, (0, 1), value=-100)[..., 1:]
    return cross_entropy(logits, labels.contiguous())


PARTS = {
    llama.LlamaRotaryEmbedding: RotaryEmbedding,
    llama.LlamaAttention: Attention,
}
