"""Combine the results of all shards into the results of a call."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp

from .plan import Plan
from .steps import Reduction, Reductions

COLLECTIVES = {"sum": jax.lax.psum, "max": jax.lax.pmax, "min": jax.lax.pmin, "mean": jax.lax.pmean}


def combined(
    parts: Sequence[jax.Array], reductions: Sequence[Sequence[Reduction]]
) -> tuple[jax.Array, ...]:
    """Combine this shard's part of each result with the parts of all other shards."""
    results = list(parts)
    weighted = []
    for position, kinds in enumerate(reductions):
        for kind, axes, weight in kinds:
            if weight is None:
                results[position] = _reduced(results[position], kind, axes)
            else:
                weighted.append((position, kind, axes, weight))
    for position, kind, axes, weight in weighted:  # their weights are reduced by now
        own, whole = (x[weight].astype(results[position].dtype) for x in (parts, results))
        if kind == "mean":
            results[position] = _reduced(_total(results[position], own), "sum", axes) / whole
        else:
            results[position] = _reduced(results[position] * jnp.exp(own - whole), "sum", axes)
    return tuple(results)


def joined(split: Plan, outer: Reductions) -> tuple[Reductions, ...] | None:
    """Return the reductions of each step of a plan, merged with `outer`.

    `outer` has the reductions of the call's results over other axes. Return None if a result and
    its weight come from different steps.
    """
    start = len(split.inputs)
    found = []
    for step in split.steps:
        here = range(start, start + len(step.splits))
        places = dict(zip(split.way.results, outer))
        own = []
        for place, kinds in zip(here, step.reductions):
            for kind, axes, weight in places.get(place, ()):
                at = None if weight is None else split.way.results[weight]
                if at is not None and at not in here:
                    return None
                kinds = _with(kinds, kind, axes, None if at is None else at - start)
            own.append(kinds)
        found.append(tuple(own))
        start = here.stop
    return tuple(found)


def _with(
    kinds: Sequence[Reduction], kind: str, axes: tuple[str, ...], weight: int | None
) -> tuple[Reduction, ...]:
    """Return `kinds` with one more reduction, merged with a reduction of the same kind."""
    alike = [k for k in kinds if (k[0], k[2]) == (kind, weight)]
    axes += tuple(axis for _, more, _ in alike for axis in more)
    return (*(k for k in kinds if k not in alike), (kind, axes, weight))


def _total(mean: jax.Array, weight: jax.Array) -> jax.Array:
    """Return the sum of a shard's elements from their mean and their count. If the count is 0, the
    mean is NaN and the sum is 0.
    """
    return jnp.where(weight == 0, 0, mean * weight)


def _reduced(x: jax.Array, kind: str, axes: tuple[str, ...]) -> jax.Array:
    """Reduce one array over the shards.

    If only some axes of a mesh are manual, 16-bit floats are reduced in f32, because XLA would
    abort on the CPU.
    """
    reduce: Callable[..., jax.Array] = COLLECTIVES[kind]
    narrow = jnp.issubdtype(x.dtype, jnp.floating) and x.dtype.itemsize < 4
    if narrow and jax.sharding.get_abstract_mesh().auto_axes:
        return reduce(x.astype(jnp.float32), axes).astype(x.dtype)
    return reduce(x, axes)
