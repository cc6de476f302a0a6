"""A small Llama in JAX. Its ops come from a module that is an argument."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from examples.llama_jax.layouts import Layout
from examples.small_llama import EPS, SMALL, THETA, Sizes

Dims = dict[str, int]  # of a weight: their sizes by their names


def layer(sizes: Sizes = SMALL) -> dict[str, Dims]:
    width, head = {"stored": sizes.width}, {"each": sizes.head}
    hidden = {"hidden": sizes.blocks}
    return {
        "input_norm": width,
        "q": width | {"heads": sizes.heads} | head,
        "k": width | {"heads": sizes.kv_heads} | head,
        "v": width | {"heads": sizes.kv_heads} | head,
        "o": {"heads": sizes.heads} | head | width,
        "post_norm": width,
        "gate_up": width | hidden | {"each": 2 * sizes.block},
        "down": hidden | {"each": sizes.block} | width,
    }


def model(sizes: Sizes = SMALL) -> dict:
    """Return the dims of each weight: a tree of dicts from names of dims to sizes."""
    width, vocab = {"stored": sizes.width}, {"vocab": sizes.vocab}
    return {
        "embedding": vocab | width,
        "layers": [layer(sizes)] * sizes.layers,
        "norm": width,
        "head": width | vocab,
    }


def _is_weight(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(n, int) for n in value.values())


def each_weight(function: Callable[[Dims], Any], tree: dict) -> dict:
    return jax.tree.map(function, tree, is_leaf=_is_weight)


DIMS = each_weight(tuple, model())


def weights() -> dict:
    """Return the weights as NumPy arrays, with the same random values in each call."""
    rng = np.random.default_rng(0)

    def made(dims: dict[str, int]) -> np.ndarray:
        shape = (*dims.values(),)
        if len(shape) == 1:
            return np.ones(shape, np.float32)
        return rng.normal(0, 0.05, shape).astype(np.float32)

    return each_weight(made, model())


def angles(tokens: int, head: int, dtype: jnp.dtype) -> jax.Array:
    """Return the table for the op `rotary`: for each position, cosines and then sines."""
    speeds = THETA ** (-jnp.arange(0, head, 2, dtype=dtype) / head)
    table = jnp.arange(tokens, dtype=dtype)[:, None] * speeds
    return jnp.concatenate((jnp.cos(table), jnp.sin(table)), axis=-1)


def loss(
    weights: dict,
    inputs: jax.Array,
    labels: jax.Array,
    ops: ModuleType,
    layout: Layout,
    dtype: jnp.dtype,
    dims: dict = DIMS,
    mlp: Callable[[dict, jax.Array], jax.Array] | None = None,
) -> jax.Array:
    """Return the mean cross-entropy of the next tokens. `inputs` and `labels` are batch x tokens.

    If `mlp` is given, it replaces the MLP. It takes a layer's weights and the input, and returns
    the output.
    """
    at, einsum = layout.at, layout.einsum
    between = "batch", "tokens between", None
    inside = "batch", "tokens", None

    def whole(weight, dims):
        """Return a weight in the dtype of the model, gathered over FSDP's axis."""
        return at(weight.astype(dtype), *(d if d != "stored" else None for d in dims))

    weights = jax.tree.map(whole, weights, dims)
    head = weights["layers"][0]["q"].shape[-1]
    positions = at(jnp.arange(inputs.shape[1]), "tokens")
    table = angles(inputs.shape[1], head, jnp.promote_types(dtype, jnp.float32))

    def attention(layer, x):
        split = "batch", "tokens", "heads", None
        q, k, v = (einsum("btm,mhd->bthd", x, layer[n], *split) for n in "qkv")
        q, k = ops.rotary(q, positions, table, k)
        k, v = (at(each, "batch", None, "heads", None) for each in (k, v))
        x = at(jax.nn.dot_product_attention(q, k, v, is_causal=True), *split)
        return einsum("bthd,hdm->btm", x, layer["o"], *between)

    def dense(layer, x):
        split = "batch", "tokens", "hidden", None
        x = einsum("btm,mhd->bthd", x, layer["gate_up"], *split)
        x = at(ops.silu_and_mul(x), *split)
        return einsum("bthd,hdm->btm", x, layer["down"], *between)

    x = at(ops.embedding(weights["embedding"], inputs), *between)
    for layer in weights["layers"]:
        y = ops.rms_norm(x, layer["input_norm"], eps=EPS)
        x = x + attention(layer, at(y, *inside))
        y = ops.rms_norm(x, layer["post_norm"], eps=EPS)
        x = x + (mlp or dense)(layer, at(y, *inside))
    x = at(ops.rms_norm(x, weights["norm"], eps=EPS), *inside)
    logits = einsum("btm,mv->btv", x, weights["head"], "batch", "tokens", "vocab")
    return ops.cross_entropy(logits, labels)
