"""How a call is split over a mesh: all of it follows from the names of the dims.

The one place that decides, whatever the kind of mesh. A mesh axis goes to one factor: the
first, in the order of the inputs, that has it and may take it. An axis of a dim that has to
be whole goes to another factor where that moves fewer bytes than to gather. A result that
lacks a factor reduces over its axes. Rendered by opgen.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jax.sharding import PartitionSpec

from .arrays import narrowed
from .call import Call, Reduce
from .dims import Factors, Row, factors, may_meet, may_split, name_of, of_list, sizes_of
from .dtypes import DTYPES
from .splits import Split, bytes_between, reduced_bytes, shards, spec_of, split_of

Axes = Mapping[str, tuple[str, ...]]  # the mesh axes that each factor is split over
# How, over which mesh axes, and the position of the result that a mean is weighted by.
Reduction = tuple[str, tuple[str, ...], int | None]

# How shards become one. `same` and `local` need no reduction.
REDUCING = ("sum", "max", "min", "mean")


@dataclass(frozen=True)
class Moved:
    """A mesh axis that could not stay on a dim of an operand, and why."""

    operand: int
    dim: int
    axis: str
    reason: str


@dataclass(frozen=True)
class Plan:
    """How every array of a call is split, and the reductions that each result still needs.

    `inputs` and `outputs` are split as a shard of the kernel takes and gives them. The
    results are left as `placed`: as the operands were, also along dims that had to be whole.
    """

    inputs: tuple[PartitionSpec, ...]
    outputs: tuple[PartitionSpec, ...]
    placed: tuple[PartitionSpec, ...]
    reductions: tuple[tuple[Reduction, ...], ...]
    moved: tuple[Moved, ...]
    bytes: int  # that reach each device, in all


@dataclass(frozen=True)
class _Problem:
    """A call, and how its operands are split."""

    call: Call
    operands: Sequence[Any]
    given: tuple[Split, ...]
    mesh: Mapping[str, int]
    rows: Factors
    sizes: Mapping[str, set[int]]


def plan(
    call: Call,
    operands: Sequence[Any],
    specs: Sequence[PartitionSpec],
    mesh: Mapping[str, int],
) -> Plan:
    """Split `call` over the axes of `mesh` (their sizes) as its operands are split."""
    rows = factors(call, [len(x.shape) for x in operands])
    sizes = sizes_of(rows.inputs, [x.shape for x in operands])
    given = tuple(split_of(spec, len(x.shape)) for spec, x in zip(specs, operands))
    problem = _Problem(call, operands, given, mesh, rows, sizes)
    axes, reasons = _wished(problem, check=False)
    if axes and _complaint(problem, axes):
        axes, reasons = _wished(problem, check=True)
    placed = tuple(_left(problem, row, axes) for row in rows.outputs)
    axes, bytes = _cheapest(problem, axes, placed)
    return Plan(
        tuple(spec_of(_split(row, axes)) for row in rows.inputs),
        tuple(spec_of(_split(row, axes)) for row in rows.outputs),
        tuple(map(spec_of, placed)),
        tuple(_reductions(call, rows, axes)),
        tuple(_moved(problem, axes, reasons)),
        bytes,
    )


def _wished(
    problem: _Problem, check: bool
) -> tuple[dict[str, tuple[str, ...]], dict[tuple[str, str], str]]:
    """The axes that factors keep, and why others do not: as the operands are split.

    The first operand that has a factor split decides for it. With `check` the kernel is
    asked for each axis anew.
    """
    axes: dict[str, tuple[str, ...]] = {}
    reasons: dict[tuple[str, str], str] = {}
    decided: set[str] = set()
    for row, split in zip(problem.rows.inputs, problem.given):
        for factor, wanted in zip(row, split):
            if not wanted or factor is None or factor in decided:
                continue
            decided.add(factor)
            for axis in wanted:
                more = {**axes, factor: (*axes.get(factor, ()), axis)}
                reason = _refusal(problem, axes, factor, axis)
                reason = reason or (_complaint(problem, more) if check else None)
                if reason is None:
                    axes = more
                else:
                    reasons[factor, axis] = reason
    return axes, reasons


def _refusal(
    problem: _Problem, axes: Axes, factor: str, axis: str, even: bool = False
) -> str | None:
    """Why a factor cannot be split over one more axis; None if it can.

    XLA pads shards that do not come out even. Padding is harmless where every element goes
    by itself, but not in a reduction, nor where sizes are multiples of each other.
    """
    call, name = problem.call, name_of(factor)
    if not may_split(call, factor):
        return f"`{name}` is not among the dims that `sharding.split` names"
    for other, taken in axes.items():
        if axis in taken and may_meet(factor, other):
            return f"the axis splits `{name_of(other)}` already"
    reduced = _reduced(call, name)
    if reduced and of_list(factor):
        return f"`{name}` of several tensors is reduced"
    unit = call.kernel.units.get(name, 1)
    size, several = min(problem.sizes[factor]), len(problem.sizes[factor]) > 1
    count = unit * shards((*axes.get(factor, ()), axis), problem.mesh)
    if (even or several or unit > 1 or reduced) and size % count:
        return f"`{name}` = {size} is no multiple of {count}"
    return None


def _reduced(call: Call, name: str) -> bool:
    """Whether a result is combined from the shards of a dim."""
    return any(
        name == dim and kind in REDUCING for how in call.reduce for dim, kind, _ in how
    )


def _complaint(problem: _Problem, axes: Axes) -> str | None:
    """Why the kernel would refuse a shard; None if it would not."""
    shapes = []
    for row, operand in zip(problem.rows.inputs, problem.operands):
        counts = [shards(axes.get(f, ()), problem.mesh) for f in row]
        shapes.append(tuple(-(-n // k) for n, k in zip(operand.shape, counts)))
    try:
        problem.call.infer(shapes, [x.dtype for x in problem.operands])
    except ValueError as error:
        return f"a shard is refused: {error}"
    return None


def _cheapest(
    problem: _Problem, axes: Axes, placed: Sequence[Split]
) -> tuple[Axes, int]:
    """The axes with those that no factor kept, each where the fewest bytes move; the bytes."""
    used = {axis for taken in axes.values() for axis in taken}
    given = dict.fromkeys(a for split in problem.given for dim in split for a in dim)
    others = [axis for axis in given if axis not in used]
    results = _results(problem)
    least = _bytes(problem, axes, placed, results)
    for axis in others:
        best = axes
        for factor in problem.sizes:
            if _refusal(problem, axes, factor, axis, even=True):
                continue
            more = {**axes, factor: (*axes.get(factor, ()), axis)}
            moved = _bytes(problem, more, placed, results)
            if moved < least and not _complaint(problem, more):
                best, least = more, moved
        axes = best
    return axes, least


def _results(problem: _Problem) -> list[int]:
    """The size of each result, in bytes."""
    shapes = [tuple(x.shape) for x in problem.operands]
    found = problem.call.infer(shapes, [x.dtype for x in problem.operands])
    return [math.prod(r.shape) * DTYPES[narrowed(r.dtype)].itemsize for r in found]


def _bytes(
    problem: _Problem, axes: Axes, placed: Sequence[Split], results: Sequence[int]
) -> int:
    """The bytes that reach each device: of operands, of reductions, of results."""
    mesh, rows = problem.mesh, problem.rows
    total = 0
    for x, row, given in zip(problem.operands, rows.inputs, problem.given):
        size = math.prod(x.shape) * x.dtype.itemsize
        total += bytes_between(size, given, _split(row, axes), mesh)
    reductions = _reductions(problem.call, rows, axes)
    for size, row, left, kinds in zip(results, rows.outputs, placed, reductions):
        split = _split(row, axes)
        for _, over, _ in kinds:
            total += reduced_bytes(size, split, over, mesh)
        total += bytes_between(size, split, left, mesh)
    return total


def _split(row: Row, axes: Axes) -> Split:
    return tuple(axes.get(factor, ()) for factor in row)


def _left(problem: _Problem, row: Row, axes: Axes) -> Split:
    """How a result is left: split as the first operand that has each of its dims split."""
    found: list[tuple[str, ...]] = []
    for factor in row:
        wanted = axes.get(factor, ())
        if factor is not None and not may_split(problem.call, factor):
            wanted = _first(problem, factor)
        used = {axis for dim in found for axis in dim}
        found.append(tuple(axis for axis in wanted if axis not in used))
    return tuple(found)


def _first(problem: _Problem, factor: str) -> tuple[str, ...]:
    """The axes of the first operand that has a factor split."""
    for row, split in zip(problem.rows.inputs, problem.given):
        for other, axes in zip(row, split):
            if other == factor and axes:
                return axes
    return ()


def _reductions(
    call: Call, rows: Factors, axes: Axes
) -> Iterator[tuple[Reduction, ...]]:
    """The reductions that each result needs."""
    for how, row in zip(call.reduce, rows.outputs):
        yield tuple(_rest(how, row, axes))


def _rest(how: Reduce, row: Row, axes: Axes) -> Iterator[Reduction]:
    """The reductions of a result with these factors."""
    for name, kind, weight in how:
        lacking = [f for f in axes if name_of(f) == name and f not in row]
        over = tuple(axis for factor in lacking for axis in axes[factor])
        if over and kind in REDUCING:
            yield kind, over, weight


def _moved(
    problem: _Problem, axes: Axes, reasons: Mapping[tuple[str, str], str]
) -> Iterator[Moved]:
    """The axes that operands do not keep."""
    for place, (row, split) in enumerate(zip(problem.rows.inputs, problem.given)):
        for dim, (factor, wanted) in enumerate(zip(row, split)):
            for axis in wanted:
                if axis in axes.get(factor, ()):
                    continue
                reason = reasons.get(
                    (factor, axis), "another operand is split otherwise"
                )
                if factor is None:
                    reason = "the dim has no name that could be split"
                yield Moved(place, dim, axis, reason)
