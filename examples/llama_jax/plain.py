"""The Llama's ops in plain jax.numpy, under the same names as opgen's ops."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from examples.small_llama import IGNORED


def embedding(weight: jax.Array, indices: jax.Array) -> jax.Array:
    rows, places = jax.typeof(weight).sharding, jax.typeof(indices).sharding
    if not rows.mesh.explicit_axes:
        return weight[indices]
    # On an explicit mesh, JAX requires the sharding of the result if the rows are split.
    return weight.at[indices].get(out_sharding=P(*places.spec, rows.spec[-1]))


def rms_norm(x: jax.Array, weight: jax.Array, eps: float) -> jax.Array:
    wide = _wide(x)
    scale = jax.lax.rsqrt(jnp.mean(wide * wide, -1, keepdims=True) + eps)
    return (wide * scale * _wide(weight)).astype(x.dtype)


def rotary(
    q: jax.Array, positions: jax.Array, cos_sin: jax.Array, k: jax.Array
) -> tuple[jax.Array, jax.Array]:
    cos, sin = jnp.split(embedding(cos_sin, positions)[..., None, :], 2, axis=-1)

    def rotated(x):
        a, b = jnp.split(_wide(x), 2, axis=-1)
        both = a * cos - b * sin, b * cos + a * sin
        return jnp.concatenate(both, axis=-1).astype(x.dtype)

    return rotated(q), rotated(k)


def silu_and_mul(x: jax.Array) -> jax.Array:
    gate, up = jnp.split(x, 2, axis=-1)
    return jax.nn.silu(gate) * up


def cross_entropy(logits: jax.Array, labels: jax.Array) -> jax.Array:
    logits = _wide(logits)
    own = labels[..., None] == jnp.arange(logits.shape[-1])
    chosen = jnp.sum(jnp.where(own, logits, 0), axis=-1)
    counts = labels != IGNORED
    losses = jnp.where(counts, jax.nn.logsumexp(logits, axis=-1) - chosen, 0)
    return jnp.sum(losses) / jnp.sum(counts)


def _wide(x: jax.Array) -> jax.Array:
    return x.astype(jnp.promote_types(x.dtype, jnp.float32))


class State(NamedTuple):
    step: jax.Array
    mu: Any
    nu: Any


class adamw(NamedTuple):
    learning_rate: float
    b1: float = 0.9
    b2: float = 0.999
    eps: float = 1e-8
    weight_decay: float = 0.01

    def init(self, params: Any) -> tuple[State]:
        """Return the initial state, a tuple of parts as in optax."""
        zeros = lambda: jax.tree.map(jnp.zeros_like, params)  # noqa: E731
        return (State(jnp.zeros((), jnp.float32), zeros(), zeros()),)

    def step(self, params: Any, grads: Any, state: tuple[State]) -> tuple[Any, tuple[State]]:
        (old,) = state
        step = old.step + 1
        average = lambda b: lambda m, g: b * m + (1 - b) * g  # noqa: E731
        mu = jax.tree.map(average(self.b1), old.mu, grads)
        nu = jax.tree.map(lambda v, g: average(self.b2)(v, g * g), old.nu, grads)

        def updated(p, m, v):
            size = jnp.sqrt(v / (1 - self.b2**step)) + self.eps
            kept = p * (1 - self.learning_rate * self.weight_decay)
            return kept - self.learning_rate * (m / (1 - self.b1**step)) / size

        return jax.tree.map(updated, params, mu, nu), (State(step, mu, nu),)
