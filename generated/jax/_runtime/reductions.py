"""The results of a call from what each shard computes of them. Rendered by opgen."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp

from .plan import Reduction

COLLECTIVES = {
    "sum": jax.lax.psum,
    "max": jax.lax.pmax,
    "min": jax.lax.pmin,
    "mean": jax.lax.pmean,
}


def combined(
    parts: Sequence[jax.Array], reductions: Sequence[Sequence[Reduction]]
) -> tuple[jax.Array, ...]:
    """Each result of the parts that this shard has computed."""
    results = list(parts)
    weighted = []
    for position, kinds in enumerate(reductions):
        for kind, axes, weight in kinds:
            if weight is None:
                results[position] = _reduced(results[position], kind, axes)
            else:
                weighted.append((position, axes, weight))
    for position, axes, weight in weighted:  # by weights that are summed now
        part = _total(results[position], parts[weight])
        total = _reduced(part, "sum", axes)
        results[position] = total / results[weight].astype(total.dtype)
    return tuple(results)


def _total(mean: jax.Array, weight: jax.Array) -> jax.Array:
    """What a shard's mean is of; where nothing counts, the mean is no number."""
    return jnp.where(weight == 0, 0, mean * weight.astype(mean.dtype))


def _reduced(x: jax.Array, kind: str, axes: tuple[str, ...]) -> jax.Array:
    """One of the shards' parts.

    Where only some axes of a mesh are manual, XLA aborts on the CPU when it reduces 16 bits.
    """
    narrow = jnp.issubdtype(x.dtype, jnp.floating) and x.dtype.itemsize < 4
    if narrow and jax.sharding.get_abstract_mesh().auto_axes:
        return COLLECTIVES[kind](x.astype(jnp.float32), axes).astype(x.dtype)
    return COLLECTIVES[kind](x, axes)
