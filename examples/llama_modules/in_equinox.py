"""The Llama in Equinox: `vmap` creates the layers, `scan` runs them, and `checkpoint` recomputes
them.
"""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.typing import DTypeLike

from examples.llama_jax.layouts import Layout
from examples.llama_jax.model import angles
from examples.llama_modules import parts
from examples.llama_modules.parts import BLOCK_WEIGHTS, ENDS, Model, Ops
from examples.small_llama import EPS, LAYERS, WIDTH
from generated.jax import rms_norm


def own_norm(width: int, eps: float) -> eqx.nn.RMSNorm:
    return eqx.nn.RMSNorm(width, eps=eps, use_bias=False)


class RMSNorm(eqx.Module):
    """The op `rms_norm` as an Equinox module. A call normalises all rows at once."""

    weight: jax.Array
    eps: float = eqx.field(static=True)

    def __init__(self, width: int, eps: float) -> None:
        self.weight, self.eps = jnp.ones(width), eps

    def __call__(self, x: jax.Array) -> jax.Array:
        weight = self.weight.astype(jnp.promote_types(x.dtype, self.weight.dtype))
        return rms_norm(x, weight, eps=self.eps).astype(x.dtype)


RENDERED = parts.rendered(RMSNorm)
NATIVE = parts.native(own_norm)


def over_rows(norm: eqx.Module, x: jax.Array) -> jax.Array:
    """Apply a norm to all rows of `x`. Equinox's own norm takes only one row, so this function maps
    it over the rows.
    """
    return jax.vmap(jax.vmap(norm))(x) if isinstance(norm, eqx.nn.RMSNorm) else norm(x)


def drawn(key: jax.Array, dims: dict[str, int]) -> jax.Array:
    return 0.05 * jax.random.normal(key, (*dims.values(),))


class Block(eqx.Module):
    ops: Ops = eqx.field(static=True)
    layout: Layout = eqx.field(static=True)
    input_norm: eqx.Module
    post_norm: eqx.Module
    q: jax.Array
    k: jax.Array
    v: jax.Array
    o: jax.Array
    gate_up: jax.Array
    down: jax.Array

    def __init__(self, ops: Ops, layout: Layout, key: jax.Array) -> None:
        self.ops, self.layout = ops, layout
        self.input_norm, self.post_norm = ops.norm(WIDTH, eps=EPS), ops.norm(WIDTH, eps=EPS)
        keys = jax.random.split(key, len(BLOCK_WEIGHTS))
        for own, (name, dims) in zip(keys, BLOCK_WEIGHTS.items()):
            setattr(self, name, drawn(own, dims))

    def __call__(self, x: jax.Array, table: jax.Array) -> jax.Array:
        y = over_rows(self.input_norm, x)
        x = x + parts.attention(y, self, table, self.ops, self.layout)
        y = over_rows(self.post_norm, x)
        return x + parts.mlp(y, self, self.ops, self.layout)


class Llama(eqx.Module):
    ops: Ops = eqx.field(static=True)
    layout: Layout = eqx.field(static=True)
    dtype: DTypeLike = eqx.field(static=True)
    layers: Block
    norm: eqx.Module
    embedding: jax.Array
    head: jax.Array

    def __init__(self, ops: Ops, layout: Layout, dtype: DTypeLike, key: jax.Array) -> None:
        self.ops, self.layout, self.dtype = ops, layout, dtype
        first, *keys = jax.random.split(key, 1 + len(ENDS))
        make = eqx.filter_vmap(lambda key: Block(ops, layout, key))
        self.layers = make(jax.random.split(first, LAYERS))
        self.norm = ops.norm(WIDTH, eps=EPS)
        self.embedding, self.head = (drawn(k, dims) for k, dims in zip(keys, ENDS.values()))

    def __call__(self, inputs: jax.Array, labels: jax.Array) -> jax.Array:
        table = angles(inputs.shape[1], jnp.promote_types(self.dtype, jnp.float32))
        arrays, static = eqx.partition(self.layers, eqx.is_array)

        @jax.checkpoint
        def block(x: jax.Array, arrays: Block) -> tuple[jax.Array, None]:
            return eqx.combine(arrays, static)(x, table), None

        x = parts.embedded(inputs, self.embedding.astype(self.dtype), self.ops, self.layout)
        x, _ = jax.lax.scan(block, x, arrays)
        x = over_rows(self.norm, x)
        return parts.next_token_loss(x, self.head, labels, self.ops, self.layout)


def model(ops: Ops, layout: Layout, dtype: str) -> Model:
    llama = Llama(ops, layout, jnp.dtype(dtype), jax.random.key(0))
    params, static = eqx.partition(llama, eqx.is_array)
    return Model(params, lambda params, *batch: eqx.combine(params, static)(*batch))
