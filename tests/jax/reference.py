"""Shared helpers of the JAX tests: an op in plain jax.numpy, random data, and parsing of HLO."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

COLLECTIVES = ("all-gather", "all-reduce", "all-to-all", "collective-permute")


def rms_norm(x: jax.Array, weight: jax.Array, eps: float = 1e-5) -> jax.Array:
    """Compute `generated.jax.rms_norm` in plain jax.numpy. x: `*batch *norm`, weight: `*norm`."""
    axes = tuple(range(x.ndim - weight.ndim, x.ndim))
    mean = jnp.mean(x * x, axis=axes, keepdims=True)
    return x / jnp.sqrt(mean + eps) * weight


def normal(*shape: int, seed: int = 0) -> jax.Array:
    """Return random f32 values, which are always the same for a shape and seed."""
    values = np.random.default_rng(seed).standard_normal(shape)
    return jax.device_put(values.astype(np.float32))


def squares(op: Callable[..., jax.Array]) -> Callable[..., jax.Array]:
    """Return a loss function of the op, with a gradient that is not constant."""
    return lambda *args: jnp.sum(op(*args) ** 2)


def gradients(op: Callable[..., jax.Array]) -> Callable[..., tuple[jax.Array, ...]]:
    """Return the gradient function of `squares(op)` for both arguments."""
    return jax.grad(squares(op), (0, 1))


def assert_close(found, wanted, k: float = 64) -> None:
    """Check each leaf: the error is at most k * eps * the largest magnitude (at least 1)."""
    pairs = zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True)
    for one, other in pairs:
        one, other = np.asarray(one, np.float64), np.asarray(other, np.float64)
        size = max(1.0, np.abs(other).max(initial=0.0))
        np.testing.assert_allclose(one, other, rtol=0, atol=k * 2.0**-23 * size)


def compiled(function: Callable, *args) -> str:
    """Return the optimised HLO."""
    return jax.jit(function).lower(*args).compile().as_text()


def custom_calls(hlo: str) -> Counter[str]:
    """Return how often the HLO calls each target."""
    return Counter(re.findall(r'custom_call_target="([^"]+)"', hlo))


def collectives(hlo: str) -> dict[str, int]:
    """Return the number of collectives of each kind in the HLO, without zeros."""
    lines = re.findall(r"^.* = .*?\b([a-z-]+)\(", hlo, re.M)
    counts = Counter(name.removesuffix("-start") for name in lines)
    return {kind: counts[kind] for kind in COLLECTIVES if counts[kind]}
