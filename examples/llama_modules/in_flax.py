"""The Llama in Flax NNX: `vmap` creates the layers, `scan` runs them, and `remat` recomputes them."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from flax import nnx
from jax.typing import DTypeLike

import generated.jax.nnx
from examples.llama_jax.layouts import Layout
from examples.llama_jax.model import angles
from examples.llama_modules import parts
from examples.llama_modules.parts import BLOCK_WEIGHTS, ENDS, Model, Ops
from examples.small_llama import EPS, LAYERS, WIDTH

RENDERED = parts.rendered(generated.jax.nnx.RMSNorm)
NATIVE = parts.native(nnx.RMSNorm)
INIT = nnx.initializers.normal(0.05)


class Block(nnx.Module):
    def __init__(self, ops: Ops, layout: Layout, dtype: DTypeLike, *, rngs: nnx.Rngs) -> None:
        self.ops, self.layout = ops, layout
        self.input_norm = ops.norm(WIDTH, epsilon=EPS, dtype=dtype, rngs=rngs)
        self.post_norm = ops.norm(WIDTH, epsilon=EPS, dtype=dtype, rngs=rngs)
        for name, dims in BLOCK_WEIGHTS.items():
            setattr(self, name, nnx.Param(INIT(rngs.params(), (*dims.values(),), jnp.float32)))

    def __call__(self, x: jax.Array, table: jax.Array) -> jax.Array:
        x = x + parts.attention(self.input_norm(x), self, table, self.ops, self.layout)
        return x + parts.mlp(self.post_norm(x), self, self.ops, self.layout)


class Llama(nnx.Module):
    def __init__(self, ops: Ops, layout: Layout, dtype: DTypeLike, *, rngs: nnx.Rngs) -> None:
        self.ops, self.layout, self.dtype = ops, layout, dtype
        make = nnx.vmap(lambda rngs: Block(ops, layout, dtype, rngs=rngs), in_axes=0, out_axes=0)
        self.layers = make(rngs.split(LAYERS))
        self.norm = ops.norm(WIDTH, epsilon=EPS, dtype=dtype, rngs=rngs)
        for name, dims in ENDS.items():
            setattr(self, name, nnx.Param(INIT(rngs.params(), (*dims.values(),), jnp.float32)))

    def __call__(self, inputs: jax.Array, labels: jax.Array) -> jax.Array:
        table = angles(inputs.shape[1], jnp.promote_types(self.dtype, jnp.float32))
        block = nnx.remat(lambda x, layer: layer(x, table))
        x = parts.embedded(inputs, self.embedding[...].astype(self.dtype), self.ops, self.layout)
        x = nnx.scan(block, in_axes=(nnx.Carry, 0), out_axes=nnx.Carry)(x, self.layers)
        return parts.next_token_loss(self.norm(x), self.head[...], labels, self.ops, self.layout)


def model(ops: Ops, layout: Layout, dtype: str) -> Model:
    graph, params = nnx.split(Llama(ops, layout, jnp.dtype(dtype), rngs=nnx.Rngs(0)))
    return Model(params, lambda params, *batch: nnx.merge(graph, params)(*batch))
