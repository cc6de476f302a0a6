"""How a call is split over a mesh: all of it follows from the names of the dims.

The one place that decides, whatever the kind of mesh. A mesh axis goes to one factor: the
first, in the order of the inputs, that has it and may take it. An axis of a dim that has to
be whole goes to another factor where that moves fewer bytes than to gather. A result that
lacks a factor reduces over its axes. A factor that the kernel needs whole may be split all
the same where stages compute the call. Rendered by opgen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from jax.sharding import PartitionSpec

from .call import Call, Reduce
from .dims import Factors, Row, factors, may_meet, may_split, name_of, of_list, sizes_of
from .splits import Split, bytes_between, reduced_bytes, shards, spec_of, split_of
from .stages import Axes, Stage, Way, ways

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
class Step:
    """A stage of a call on shards: how its results are split, and the reductions that each
    still needs.

    In `call`, attrs that are dims have the size of a shard. `begins` are operands that say where a dim begins, the axes that it is split over, and
    the size of a shard.
    """

    stage: Stage
    call: Call
    splits: tuple[Split, ...]
    reductions: tuple[tuple[Reduction, ...], ...]
    begins: tuple[tuple[int, tuple[str, ...], int], ...]


@dataclass(frozen=True)
class Plan:
    """How every array of a call is split, and the way to compute it, step by step.

    `inputs` and `outputs` are split as a shard of the kernel takes and gives them. The
    results are left as `placed`: as the operands were, also along dims that had to be whole.
    """

    inputs: tuple[PartitionSpec, ...]
    outputs: tuple[PartitionSpec, ...]
    placed: tuple[PartitionSpec, ...]
    way: Way
    steps: tuple[Step, ...]
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
    ways: tuple[Way, ...]

    def way(self, factors: Iterable[str]) -> Way | None:
        """The first way that may have all these factors split."""
        factors = tuple(factors)
        return next((w for w in self.ways if all(map(w.may_split, factors))), None)


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
    found = ways(call, operands, rows)
    problem = _Problem(call, operands, given, mesh, rows, sizes, found)
    axes, reasons = _wished(problem, check=False)
    if axes and _complaint(problem, axes):
        axes, reasons = _wished(problem, check=True)
    placed = tuple(_left(problem, row, axes) for row in rows.outputs)
    axes, bytes = _cheapest(problem, axes, placed)
    return Plan(
        tuple(spec_of(_split(row, axes)) for row in rows.inputs),
        tuple(spec_of(_split(row, axes)) for row in rows.outputs),
        tuple(map(spec_of, placed)),
        problem.way(axes),
        tuple(_steps(problem, axes)),
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
    way = problem.way((*axes, factor))
    if way is None:
        others = ", ".join(f"`{name_of(each)}`" for each in axes)
        return f"`{name}` cannot be split together with {others}"
    for other, taken in axes.items():
        if axis in taken and may_meet(factor, other):
            return f"the axis splits `{name_of(other)}` already"
    reduced = _reduced(way, factor)
    if reduced and of_list(factor):
        return f"`{name}` of several tensors is reduced"
    unit = call.kernel.units.get(name, 1)
    size, several = min(problem.sizes[factor]), len(problem.sizes[factor]) > 1
    count = unit * shards((*axes.get(factor, ()), axis), problem.mesh)
    if (even or several or unit > 1 or reduced) and size % count:
        return f"`{name}` = {size} is no multiple of {count}"
    return None


def _reduced(way: Way, factor: str) -> bool:
    """Whether some result is combined from the shards of a factor."""
    return any(
        name_of(stage.names[factor]) == dim and kind in REDUCING
        for stage in way.stages
        if factor in stage.names
        for how in stage.call.reduce
        for dim, kind, _ in how
    )


def _complaint(problem: _Problem, axes: Axes) -> str | None:
    """Why a kernel would refuse a shard; None if it would not."""
    way = problem.way(axes)
    for stage in way.stages:
        own, shapes, dtypes = stage.own(axes), [], []
        for row, place in zip(stage.rows.inputs, stage.operands):
            counts = [shards(own.get(f, ()), problem.mesh) for f in row]
            x = stage.zero if place is None else way.values[place]
            shapes.append(tuple(-(-n // k) for n, k in zip(x.shape, counts)))
            dtypes.append(x.dtype)
        try:
            _local(problem, stage.call, own).infer(shapes, dtypes)
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
    least = _bytes(problem, axes, placed)
    for axis in others:
        best = axes
        for factor in problem.sizes:
            if _refusal(problem, axes, factor, axis, even=True):
                continue
            more = {**axes, factor: (*axes.get(factor, ()), axis)}
            moved = _bytes(problem, more, placed)
            if moved < least and not _complaint(problem, more):
                best, least = more, moved
        axes = best
    return axes, least


def _bytes(problem: _Problem, axes: Axes, placed: Sequence[Split]) -> int:
    """The bytes that reach each device: of operands, of reductions, of results."""
    mesh, rows, way = problem.mesh, problem.rows, problem.way(axes)
    total = 0
    for size, row, given in zip(way.bytes, rows.inputs, problem.given):
        total += bytes_between(size, given, _split(row, axes), mesh)
    made = iter(way.bytes[len(problem.operands) :])
    for step in _steps(problem, axes):
        for size, split, kinds in zip(made, step.splits, step.reductions):
            for _, over, _ in kinds:
                total += reduced_bytes(size, split, over, mesh)
    for place, row, left in zip(way.results, rows.outputs, placed):
        total += bytes_between(way.bytes[place], _split(row, axes), left, mesh)
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


def _steps(problem: _Problem, axes: Axes) -> Iterator[Step]:
    """The stages of the way to compute a call that is split over these axes."""
    for stage in problem.way(axes).stages:
        own = stage.own(axes)
        rows, reduce = stage.rows.outputs, stage.call.reduce
        reductions = tuple(tuple(_rest(how, row, own)) for how, row in zip(reduce, rows))  # fmt: skip
        begins = tuple(_begins(problem, stage, own))
        splits = tuple(_split(row, own) for row in rows)
        yield Step(stage, _local(problem, stage.call, own), splits, reductions, begins)


def _local(problem: _Problem, call: Call, axes: Axes) -> Call:
    """A call on shards: attrs that are dims, split over these axes, have local sizes."""
    if not any(name_of(factor) == name for factor in axes for name, _ in call.attrs):
        return call

    def size(name: str, n: int, whole: int) -> int:
        return -(-whole // shards(axes.get(f"{name}.{n}", ()), problem.mesh))

    def value(name: str, whole: Any) -> Any:
        if isinstance(whole, tuple):
            return tuple(size(name, n, each) for n, each in enumerate(whole))
        return size(name, 0, whole)

    names = {name_of(factor) for factor in axes}
    attrs = ((n, value(n, v) if n in names else v) for n, v in call.attrs)
    return replace(call, attrs=tuple(attrs))


def _begins(
    problem: _Problem, stage: Stage, axes: Axes
) -> Iterator[tuple[int, tuple[str, ...], int]]:
    """The operands that say where a dim begins that is split over these axes of its own."""
    for operand, name in stage.call.begins:
        own = f"{name}.0"
        if axes.get(own):
            factor = next(f for f, name in stage.names.items() if name == own)
            size = min(problem.sizes[factor])
            yield operand, axes[own], -(-size // shards(axes[own], problem.mesh))


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
