"""How a call is split over a mesh: all of it follows from the names of the dims.

A mesh axis goes to one factor, the first in the order of the inputs that has it; operands
that are split otherwise are gathered. A result that lacks a factor reduces over its axes.
Rendered by opgen.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax
from jax.sharding import PartitionSpec

from .call import Call, Reduce
from .dims import Row, factors, may_meet, name_of, sizes_of

# `same`: every shard computes the same value already.
REDUCTIONS = {
    "sum": jax.lax.psum,
    "max": jax.lax.pmax,
    "min": jax.lax.pmin,
    "mean": jax.lax.pmean,
}

Axes = Mapping[str, tuple[str, ...]]  # the mesh axes that each factor is split over
Reduction = tuple[str, tuple[str, ...]]  # how, and over which mesh axes


@dataclass(frozen=True)
class Plan:
    """A sharding of every array of a call, and the reductions each result still needs."""

    inputs: tuple[PartitionSpec, ...]
    outputs: tuple[PartitionSpec, ...]
    reductions: tuple[tuple[Reduction, ...], ...]


def plan(
    call: Call,
    operands: Sequence[Any],
    specs: Sequence[PartitionSpec],
    mesh: Mapping[str, int],
) -> Plan:
    """Split `call` over the axes of `mesh` (their sizes) as its operands are split.

    A dim is gathered where its shards would be uneven and something is reduced over it, and
    where the kernel would refuse a shard.
    """
    rows = factors(call, [len(x.shape) for x in operands])
    sizes = sizes_of(rows.inputs, [x.shape for x in operands])
    axes: dict[str, tuple[str, ...]] = {}
    for factor, wanted in _wishes(rows.inputs, specs):
        taken = {a for f, used in axes.items() if may_meet(f, factor) for a in used}
        shards = math.prod(mesh[axis] for axis in wanted)
        if factor not in axes and not taken & set(wanted):
            if _divides(call, factor, sizes[factor], shards):
                axes[factor] = wanted
    while axes and not _accepted(call, operands, rows.inputs, axes, mesh):
        axes.popitem()
    return Plan(
        tuple(_spec(row, axes) for row in rows.inputs),
        tuple(_spec(row, axes) for row in rows.outputs),
        tuple(
            tuple(_rest(how, row, axes)) for how, row in zip(call.reduce, rows.outputs)
        ),
    )


def _wishes(
    rows: Sequence[Row], specs: Sequence[PartitionSpec]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each factor that some operand has split, and over which axes."""
    for row, spec in zip(rows, specs):
        for factor, entry in zip(row, spec):
            if factor and entry not in (None, (), PartitionSpec.UNCONSTRAINED):
                yield factor, entry if isinstance(entry, tuple) else (entry,)


def _divides(call: Call, factor: str, sizes: set[int], shards: int) -> bool:
    """Whether a factor may be split so; XLA pads what does not come out even.

    Padding is harmless where every element goes by itself, but not in a reduction, nor
    where sizes are multiples of each other.
    """
    name = name_of(factor)
    unit = call.kernel.units.get(name)
    reduced = any(name == dim for how in call.reduce for dim, _ in how)
    if len(sizes) == 1 and unit is None and not reduced:
        return True
    return min(sizes) % (shards * (unit or 1)) == 0


def _accepted(
    call: Call,
    operands: Sequence[Any],
    rows: Sequence[Row],
    axes: Axes,
    mesh: Mapping[str, int],
) -> bool:
    """Whether the kernel would take a shard."""
    shapes = []
    for row, operand in zip(rows, operands):
        shards = [math.prod(mesh[a] for a in axes.get(f, ())) for f in row]
        shapes.append(tuple(-(-n // k) for n, k in zip(operand.shape, shards)))
    try:
        call.infer(shapes, [x.dtype for x in operands])
    except ValueError:
        return False
    return True


def _spec(row: Row, axes: Axes) -> PartitionSpec:
    return PartitionSpec(*(axes.get(factor) for factor in row))


def _rest(how: Reduce, row: Row, axes: Axes) -> Iterator[Reduction]:
    """The reductions of a result with these factors."""
    for name, kind in how:
        lacking = [f for f in axes if name_of(f) == name and f not in row]
        over = tuple(axis for factor in lacking for axis in axes[factor])
        if over and kind in REDUCTIONS:
            yield kind, over
