"""A small Llama, written once: its ops are those of a module that it is given."""

from __future__ import annotations

from types import ModuleType

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from examples import small_llama as sizes


class Embedding(nn.Embedding):
    def __init__(self, ops: ModuleType) -> None:
        super().__init__(sizes.VOCAB, sizes.WIDTH)
        self.ops = ops

    def forward(self, tokens: Tensor) -> Tensor:
        return self.ops.embedding(self.weight, tokens)


class Norm(nn.Module):
    def __init__(self, ops: ModuleType) -> None:
        super().__init__()
        self.ops = ops
        self.weight = nn.Parameter(torch.ones(sizes.WIDTH))

    def forward(self, x: Tensor) -> Tensor:
        return self.ops.rms_norm(x, self.weight, eps=sizes.EPS)


class Attend(nn.Module):
    """Attention itself, which is the same in both models."""

    def forward(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        q, k, v = (x.transpose(1, 2) for x in (q, k, v))  # heads in front of tokens
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return y.transpose(1, 2).flatten(-2)


class Attention(nn.Module):
    def __init__(self, ops: ModuleType) -> None:
        super().__init__()
        self.ops = ops
        heads, groups = sizes.HEADS * sizes.HEAD, sizes.KV_HEADS * sizes.HEAD
        self.q = nn.Linear(sizes.WIDTH, heads, bias=False)
        self.k = nn.Linear(sizes.WIDTH, groups, bias=False)
        self.v = nn.Linear(sizes.WIDTH, groups, bias=False)
        self.o = nn.Linear(heads, sizes.WIDTH, bias=False)
        self.attend = Attend()

    def forward(self, x: Tensor, positions: Tensor, table: Tensor) -> Tensor:
        heads = (-1, sizes.HEAD)
        q, k, v = (each(x).unflatten(-1, heads) for each in (self.q, self.k, self.v))
        q, k = self.ops.rotary(q, positions, table, k)
        return self.o(self.attend(q, k, v))


class MLP(nn.Module):
    def __init__(self, ops: ModuleType) -> None:
        super().__init__()
        self.ops = ops
        hidden = sizes.BLOCKS * sizes.BLOCK
        self.gate_up = nn.Linear(sizes.WIDTH, 2 * hidden, bias=False)
        self.down = nn.Linear(hidden, sizes.WIDTH, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        blocks = self.gate_up(x).unflatten(-1, (-1, 2 * sizes.BLOCK))
        return self.down(self.ops.silu_and_mul(blocks).flatten(-2))


class Layer(nn.Module):
    def __init__(self, ops: ModuleType) -> None:
        super().__init__()
        self.attention_norm, self.attention = Norm(ops), Attention(ops)
        self.mlp_norm, self.mlp = Norm(ops), MLP(ops)

    def forward(self, x: Tensor, positions: Tensor, table: Tensor) -> Tensor:
        x = x + self.attention(self.attention_norm(x), positions, table)
        return x + self.mlp(self.mlp_norm(x))


class Llama(nn.Module):
    """Gives the mean cross-entropy of the next tokens."""

    def __init__(self, ops: ModuleType) -> None:
        super().__init__()
        self.ops = ops
        self.embedding = Embedding(ops)
        self.layers = nn.ModuleList(Layer(ops) for _ in range(sizes.LAYERS))
        self.norm = Norm(ops)
        self.head = nn.Linear(sizes.WIDTH, sizes.VOCAB, bias=False)

    def forward(self, tokens: Tensor, labels: Tensor) -> Tensor:
        positions = torch.arange(tokens.shape[1])
        table = angles(positions).to(self.norm.weight.dtype)
        x = self.embedding(tokens)
        for layer in self.layers:
            x = layer(x, positions, table)
        return self.ops.cross_entropy(self.head(self.norm(x)), labels)


def angles(positions: Tensor) -> Tensor:
    """The table of `rotary`: for each position cosines, then sines."""
    speeds = sizes.THETA ** (-torch.arange(0, sizes.HEAD, 2).double() / sizes.HEAD)
    turns = positions[:, None] * speeds
    return torch.cat((turns.cos(), turns.sin()), dim=-1)


def model_of(ops: ModuleType, dtype: torch.dtype) -> Llama:
    """The same random weights in each call."""
    torch.manual_seed(0)
    model = Llama(ops)
    for weight in model.parameters():
        if weight.ndim > 1:
            nn.init.normal_(weight, std=0.05)
    return model.to(dtype)
