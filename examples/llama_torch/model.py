"""A small Llama in PyTorch. Its ops come from a module that is an argument."""

from __future__ import annotations

from types import ModuleType

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from examples.small_llama import EPS, SMALL, THETA, Sizes


class Embedding(nn.Embedding):
    def __init__(self, ops: ModuleType, sizes: Sizes) -> None:
        super().__init__(sizes.vocab, sizes.width)
        self.ops = ops

    def forward(self, tokens: Tensor) -> Tensor:
        return self.ops.embedding(self.weight, tokens)


class Norm(nn.Module):
    def __init__(self, ops: ModuleType, sizes: Sizes) -> None:
        super().__init__()
        self.ops = ops
        self.weight = nn.Parameter(torch.ones(sizes.width))

    def forward(self, x: Tensor) -> Tensor:
        return self.ops.rms_norm(x, self.weight, eps=EPS)


class Attend(nn.Module):
    """The attention between queries, keys and values. It does not use opgen's ops."""

    def forward(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        q, k, v = (x.transpose(1, 2) for x in (q, k, v))  # heads in front of tokens
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return y.transpose(1, 2).flatten(-2)


class Attention(nn.Module):
    def __init__(self, ops: ModuleType, sizes: Sizes) -> None:
        super().__init__()
        self.ops = ops
        self.heads = -1, sizes.head
        heads, groups = sizes.heads * sizes.head, sizes.kv_heads * sizes.head
        self.q = nn.Linear(sizes.width, heads, bias=False)
        self.k = nn.Linear(sizes.width, groups, bias=False)
        self.v = nn.Linear(sizes.width, groups, bias=False)
        self.o = nn.Linear(heads, sizes.width, bias=False)
        self.attend = Attend()

    def forward(self, x: Tensor, positions: Tensor, table: Tensor) -> Tensor:
        q, k, v = (each(x).unflatten(-1, self.heads) for each in (self.q, self.k, self.v))
        q, k = self.ops.rotary(q, positions, table, k)
        return self.o(self.attend(q, k, v))


class MLP(nn.Module):
    def __init__(self, ops: ModuleType, sizes: Sizes) -> None:
        super().__init__()
        self.ops = ops
        hidden = sizes.blocks * sizes.block
        self.blocks = -1, 2 * sizes.block
        self.gate_up = nn.Linear(sizes.width, 2 * hidden, bias=False)
        self.down = nn.Linear(hidden, sizes.width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        blocks = self.gate_up(x).unflatten(-1, self.blocks)
        return self.down(self.ops.silu_and_mul(blocks).flatten(-2))


class Layer(nn.Module):
    def __init__(self, ops: ModuleType, sizes: Sizes) -> None:
        super().__init__()
        self.attention_norm, self.attention = Norm(ops, sizes), Attention(ops, sizes)
        self.mlp_norm, self.mlp = Norm(ops, sizes), MLP(ops, sizes)

    def forward(self, x: Tensor, positions: Tensor, table: Tensor) -> Tensor:
        x = x + self.attention(self.attention_norm(x), positions, table)
        return x + self.mlp(self.mlp_norm(x))


class Llama(nn.Module):
    """The whole model. Its forward returns the mean cross-entropy of the next tokens."""

    def __init__(self, ops: ModuleType, sizes: Sizes) -> None:
        super().__init__()
        self.ops, self.head_size = ops, sizes.head
        self.embedding = Embedding(ops, sizes)
        self.layers = nn.ModuleList(Layer(ops, sizes) for _ in range(sizes.layers))
        self.norm = Norm(ops, sizes)
        self.head = nn.Linear(sizes.width, sizes.vocab, bias=False)

    def forward(self, tokens: Tensor, labels: Tensor) -> Tensor:
        positions = torch.arange(tokens.shape[1])
        table = angles(positions, self.head_size).to(self.norm.weight.dtype)
        x = self.embedding(tokens)
        for layer in self.layers:
            x = layer(x, positions, table)
        return self.ops.cross_entropy(self.head(self.norm(x)), labels)


def angles(positions: Tensor, head: int) -> Tensor:
    """Return the table for the op `rotary`: for each position, cosines and then sines."""
    speeds = THETA ** (-torch.arange(0, head, 2).double() / head)
    turns = positions[:, None] * speeds
    return torch.cat((turns.cos(), turns.sin()), dim=-1)


def model_of(ops: ModuleType, dtype: torch.dtype) -> Llama:
    """Return a model with the ops of the module `ops`. Each call returns the same random weights."""
    torch.manual_seed(0)
    model = Llama(ops, SMALL)
    for weight in model.parameters():
        if weight.ndim > 1:
            nn.init.normal_(weight, std=0.05)
    return model.to(dtype)
