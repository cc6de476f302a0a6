"""Evaluate gradient formulas of specs on tensors of different shapes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ..core.dims import Ranks, extent, group_ranks
from ..core.facts import Forms, Shape


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
    value = formula(*(_spread(x, row, order) for x, row in zip(arrays, names)))
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


def _spread(x: jax.Array | None, row: Sequence[str], order: Sequence[str]) -> Any:
    """Return `x` with its dims in `order`, and size 1 for dims that it lacks."""
    if x is None:
        return None
    x = jnp.transpose(x, sorted(range(x.ndim), key=lambda dim: order.index(row[dim])))
    return jnp.expand_dims(x, [k for k, name in enumerate(order) if name not in row])
