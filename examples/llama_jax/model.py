"""A small Llama, written once: its ops are those of a module that it is given."""

from __future__ import annotations

from types import ModuleType

import jax
import jax.numpy as jnp
import numpy as np

from examples.llama_jax.layouts import Layout
from examples.small_llama import (
    BLOCK,
    BLOCKS,
    EPS,
    HEAD,
    HEADS,
    KV_HEADS,
    LAYERS,
    THETA,
    VOCAB,
    WIDTH,
)

# The dims of each weight, and their sizes.
LAYER = {
    "input_norm": {"stored": WIDTH},
    "q": {"stored": WIDTH, "heads": HEADS, "each": HEAD},
    "k": {"stored": WIDTH, "heads": KV_HEADS, "each": HEAD},
    "v": {"stored": WIDTH, "heads": KV_HEADS, "each": HEAD},
    "o": {"heads": HEADS, "each": HEAD, "stored": WIDTH},
    "post_norm": {"stored": WIDTH},
    "gate_up": {"stored": WIDTH, "hidden": BLOCKS, "each": 2 * BLOCK},
    "down": {"hidden": BLOCKS, "each": BLOCK, "stored": WIDTH},
}
MODEL = {
    "embedding": {"vocab": VOCAB, "stored": WIDTH},
    "layers": [LAYER] * LAYERS,
    "norm": {"stored": WIDTH},
    "head": {"stored": WIDTH, "vocab": VOCAB},
}


def _is_weight(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(n, int) for n in value.values())


DIMS = jax.tree.map(tuple, MODEL, is_leaf=_is_weight)


def weights() -> dict:
    """The same random weights in each call, on the host."""
    rng = np.random.default_rng(0)

    def made(dims: dict[str, int]) -> np.ndarray:
        shape = (*dims.values(),)
        if len(shape) == 1:
            return np.ones(shape, np.float32)
        return rng.normal(0, 0.05, shape).astype(np.float32)

    return jax.tree.map(made, MODEL, is_leaf=_is_weight)


def angles(tokens: int, dtype: jnp.dtype) -> jax.Array:
    """The table of `rotary`: for each position cosines, then sines."""
    speeds = THETA ** (-jnp.arange(0, HEAD, 2, dtype=dtype) / HEAD)
    table = jnp.arange(tokens, dtype=dtype)[:, None] * speeds
    return jnp.concatenate((jnp.cos(table), jnp.sin(table)), axis=-1)


def loss(
    weights: dict,
    inputs: jax.Array,
    labels: jax.Array,
    ops: ModuleType,
    layout: Layout,
    dtype: jnp.dtype,
) -> jax.Array:
    """The mean cross-entropy of the next tokens; `inputs` and `labels` are batch x tokens."""
    at, einsum = layout.at, layout.einsum
    between = "batch", "tokens between", None
    inside = "batch", "tokens", None

    def whole(weight, dims):
        """A weight where it is used: in the dtype of the model, no more split by FSDP."""
        return at(weight.astype(dtype), *(d if d != "stored" else None for d in dims))

    weights = jax.tree.map(whole, weights, DIMS)
    positions = at(jnp.arange(inputs.shape[1]), "tokens")
    table = angles(inputs.shape[1], jnp.promote_types(dtype, jnp.float32))

    def attention(layer, x):
        split = "batch", "tokens", "heads", None
        q, k, v = (einsum("btm,mhd->bthd", x, layer[n], *split) for n in "qkv")
        q, k = ops.rotary(q, positions, table, k)
        k, v = (at(each, "batch", None, "heads", None) for each in (k, v))
        x = at(jax.nn.dot_product_attention(q, k, v, is_causal=True), *split)
        return einsum("bthd,hdm->btm", x, layer["o"], *between)

    def mlp(layer, x):
        split = "batch", "tokens", "hidden", None
        x = einsum("btm,mhd->bthd", x, layer["gate_up"], *split)
        x = at(ops.silu_and_mul(x), *split)
        return einsum("bthd,hdm->btm", x, layer["down"], *between)

    x = at(ops.embedding(weights["embedding"], inputs), *between)
    for layer in weights["layers"]:
        y = ops.rms_norm(x, layer["input_norm"], eps=EPS)
        x = x + attention(layer, at(y, *inside))
        y = ops.rms_norm(x, layer["post_norm"], eps=EPS)
        x = x + mlp(layer, at(y, *inside))
    x = at(ops.rms_norm(x, weights["norm"], eps=EPS), *inside)
    logits = einsum("btm,mv->btv", x, weights["head"], "batch", "tokens", "vocab")
    return ops.cross_entropy(logits, labels)
