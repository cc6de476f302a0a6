"""Evaluate gradient formulas of specs on tensors of different shapes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding

from ..core.dims import Ranks, extent, group_ranks
from ..core.facts import Forms, Shape
from .gradients import aval_of
from .splits import spec_of, split_of


def aligned(
    formula: Callable[..., jax.Array],
    shapes: Sequence[Forms],
    onto: Forms,
    primal: Any,
    *arrays: Any,
) -> Any:
    """Return the gradient of `primal` that `formula` computes from `arrays`, with dims matched by
    name.

    `shapes` has the shapes of `arrays`, and `onto` is the shape of `primal`. The formula's value is
    summed over dims that the primal lacks, and broadcast over dims that only the primal has.
    `formula` receives None for an absent array. An absent primal has no gradient.

    If arguments are lists, the formula is applied to each tensor of the lists. If the primal is not
    a list, its gradient is the sum over these tensors.
    """
    if primal is None:
        return None
    given = (primal, *arrays)
    counts = [len(x) for x in given if isinstance(x, list | tuple)]
    if counts:
        tensors = [
            [x[n] if isinstance(x, list | tuple) else x for x in given] for n in range(counts[0])
        ]
        values = [aligned(formula, shapes, onto, *each) for each in tensors]
        if isinstance(primal, list | tuple):
            return values
        return functools.reduce(jnp.add, values) if values else None
    rows = [shape for (shape,) in (*shapes, onto)]
    pairs = [(row, x) for row, x in zip(rows, (*arrays, primal)) if x is not None]
    ranks = group_ranks([row for row, _ in pairs], [len(x.shape) for _, x in pairs])
    names = [_names(row, ranks) if x is not None else [] for row, x in zip(rows, (*arrays, primal))]
    every = dict.fromkeys(name for row in names for name in row)
    order = [*(n for n in every if n not in names[-1]), *names[-1]]
    agreed = _agreed(arrays, names, primal)
    value = formula(*(_spread(x, row, order) for x, row in zip(agreed, names)))
    lacking = tuple(range(len(order) - len(names[-1])))
    return jnp.broadcast_to(jnp.sum(value, lacking), primal.shape)


def _names(row: Shape, ranks: Ranks) -> list[str]:
    """Return a name for each dim of a shape. Each dim in a group gets the group's name and a
    number.
    """
    names = []
    for term in row:
        if term.kind == "group":
            names += [f"{term.text}.{place}" for place in range(extent((term,), ranks))]
        else:
            names.append(term.text)
    return names


def _agreed(arrays: Sequence[Any], rows: Sequence[Sequence[str]], primal: Any) -> Sequence[Any]:
    """Return arrays that JAX can combine on explicit meshes.

    If the arrays split a dim differently, or two dims over one mesh axis, all of them are resharded
    like `primal`. The last row has the names of its dims.
    """
    splits = [_split(x, row) for x, row in zip((*arrays, primal), rows)]
    ways = {way for split in splits[:-1] for way in split.items()}
    axes = [axis for _, own in ways for axis in own]
    if len(ways) == len(dict(ways)) and len(axes) == len({*axes}):
        return arrays
    specs = [spec_of(tuple(splits[-1].get(name, ()) for name in row)) for row in rows]
    mesh = aval_of(primal).sharding.mesh
    return [
        None if x is None else jax.sharding.reshard(x, NamedSharding(mesh, spec))
        for x, spec in zip(arrays, specs)
    ]


def _split(x: Any, row: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the mesh axes that split each dim of an array, by the dim's name."""
    split = () if x is None else split_of(aval_of(x).sharding.spec, len(row))
    return {name: axes for name, axes in zip(row, split) if axes}


def _spread(x: jax.Array | None, row: Sequence[str], order: Sequence[str]) -> Any:
    """Return `x` with its dims in `order`, and size 1 for dims that it lacks."""
    if x is None:
        return None
    x = jnp.transpose(x, sorted(range(x.ndim), key=lambda dim: order.index(row[dim])))
    return jnp.expand_dims(x, [k for k, name in enumerate(order) if name not in row])
