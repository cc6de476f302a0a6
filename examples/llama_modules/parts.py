"""The parts that the Llamas in Flax and in Equinox share: dims, ops, and functions between the
layers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

import generated.jax
from examples.llama_jax import plain
from examples.llama_jax.layouts import Layout
from examples.small_llama import BLOCK, BLOCKS, DECAY, HEAD, HEADS, KV_HEADS, LR, VOCAB, WIDTH

# The dims of each weight with their sizes. A layout splits weights by the names of the dims.
BLOCK_WEIGHTS = {
    "q": {"stored": WIDTH, "heads": HEADS, "each": HEAD},
    "k": {"stored": WIDTH, "heads": KV_HEADS, "each": HEAD},
    "v": {"stored": WIDTH, "heads": KV_HEADS, "each": HEAD},
    "o": {"heads": HEADS, "each": HEAD, "stored": WIDTH},
    "gate_up": {"stored": WIDTH, "hidden": BLOCKS, "each": 2 * BLOCK},
    "down": {"hidden": BLOCKS, "each": BLOCK, "stored": WIDTH},
}
ENDS = {
    "embedding": {"vocab": VOCAB, "stored": WIDTH},
    "head": {"stored": WIDTH, "vocab": VOCAB},
}


class Ops(NamedTuple):
    """The ops of a model: the class of the norm layer, functions, and a function that makes an
    optimizer as in optax.
    """

    norm: Callable[..., Any]
    embedding: Callable[..., jax.Array]
    rotary: Callable[..., tuple[jax.Array, jax.Array]]
    silu_and_mul: Callable[..., jax.Array]
    cross_entropy: Callable[..., jax.Array]
    adamw: Callable[..., optax.GradientTransformation]


def rendered(norm: Callable[..., Any]) -> Ops:
    return _of(generated.jax, norm, generated.jax.adamw)


def native(norm: Callable[..., Any]) -> Ops:
    """Return ops without opgen: the library's norm layer, jax.numpy and optax."""
    return _of(plain, norm, optax.adamw)


def _of(module: Any, norm: Callable[..., Any], adamw: Callable[..., Any]) -> Ops:
    functions = (getattr(module, name) for name in Ops._fields[1:-1])
    return Ops(norm, *functions, lambda: adamw(LR, weight_decay=DECAY))


def within_optax(ops: Ops) -> Ops:
    """Return the same ops, but with the optimizer in an optax chain, after gradient clipping."""
    chain = lambda: optax.chain(optax.clip_by_global_norm(1e9), ops.adamw())  # noqa: E731
    return ops._replace(adamw=chain)


class Model(NamedTuple):
    """A model as parameters, and a function from parameters, inputs and labels to the loss."""

    params: Any
    loss: Callable[[Any, jax.Array, jax.Array], jax.Array]


def attention(x: jax.Array, weights: Any, table: jax.Array, ops: Ops, layout: Layout) -> jax.Array:
    split = "batch", "tokens", "heads", None
    q, k, v, o = (getattr(weights, name)[...].astype(x.dtype) for name in "qkvo")
    q, k, v = (layout.einsum("btm,mhd->bthd", x, each, *split) for each in (q, k, v))
    q, k = ops.rotary(q, jnp.arange(x.shape[1]), table, k)
    x = layout.at(jax.nn.dot_product_attention(q, k, v, is_causal=True), *split)
    return layout.einsum("bthd,hdm->btm", x, o, "batch", "tokens", None)


def mlp(x: jax.Array, weights: Any, ops: Ops, layout: Layout) -> jax.Array:
    up, down = (getattr(weights, name)[...].astype(x.dtype) for name in ("gate_up", "down"))
    x = layout.einsum("btm,mhd->bthd", x, up, "batch", "tokens", "hidden", None)
    return layout.einsum("bthd,hdm->btm", ops.silu_and_mul(x), down, "batch", "tokens", None)


def embedded(inputs: jax.Array, table: jax.Array, ops: Ops, layout: Layout) -> jax.Array:
    return layout.at(ops.embedding(table, inputs), "batch", "tokens", None)


def next_token_loss(
    x: jax.Array, head: jax.Array, labels: jax.Array, ops: Ops, layout: Layout
) -> jax.Array:
    logits = layout.einsum("btm,mv->btv", x, head.astype(x.dtype), "batch", "tokens", "vocab")
    return ops.cross_entropy(logits, labels)
