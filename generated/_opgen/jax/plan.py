"""Decide how a call is split over a mesh, from the names of its dims.

The same rules apply to every kind of mesh. By default, each mesh axis splits the dim along which it
already splits the most bytes of inputs. Another split is chosen if it moves fewer bytes and does
not need more collectives.

If an axis splits a dim that may not be split, the dim is gathered. Or the axis splits another dim
instead, if this moves fewer bytes. Some dims may not be split for the op's own kernel, but for
stages (several other kernels that together compute the call). Such a dim stays split if this moves
fewer bytes. If a result lacks a split dim, the result is reduced over the axes of this dim.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jax.sharding import PartitionSpec

from .call import Call
from .factors import Factor, Row, axes_of, factors, may_split, sizes_of
from .refusals import Problem, complaint, refusal
from .splits import Split, shards, spec_of, split_of
from .stages import Axes, Way, ways
from .steps import Reductions, Step, steps
from .weighing import cheapest

Pair = tuple[Factor, tuple[str, ...]]  # a factor, and the mesh axes that it is split over
# The mesh axes that split each factor, and for each rejected axis the reason.
Wish = tuple[dict[Factor, tuple[str, ...]], dict[tuple[Factor, str], str]]
# The largest number of rejected splits that are tried.
TRIALS = 8


@dataclass(frozen=True)
class Moved:
    """A mesh axis that no longer splits a dim of an operand, and the reason."""

    operand: int
    dim: int
    axis: str
    reason: str


@dataclass(frozen=True)
class Plan:
    """A decision: how each array of a call is split, and the steps that compute the call.

    `inputs` and `outputs` are the splits of the kernel's operands and results. `placed` is the
    split of the results that the caller receives. It equals the split of the operands, even along
    dims that were gathered for the kernel.
    """

    inputs: tuple[PartitionSpec, ...]
    outputs: tuple[PartitionSpec, ...]
    placed: tuple[PartitionSpec, ...]
    way: Way
    steps: tuple[Step, ...]
    moved: tuple[Moved, ...]
    bytes: float  # that each device receives in total

    @property
    def reductions(self) -> tuple[Reductions, ...]:
        """Return the reductions of each step."""
        return tuple(step.reductions for step in self.steps)


def plan(
    call: Call,
    operands: Sequence[Any],
    specs: Sequence[PartitionSpec],
    mesh: Mapping[str, int],
    wanted: Sequence[PartitionSpec] | None = None,
    hidden: bool = False,
) -> Plan:
    """Decide how to split `call` over the axes of `mesh`. `specs` has the split of each operand.

    `mesh` maps axes to sizes. `wanted` is the final split of the results, if it is already decided.
    It also determines the split of dims that no operand has. `hidden` is set if operands may also
    be split over axes that are not in `mesh`.
    """
    rows = factors(call, [len(x.shape) for x in operands])
    found = ways(call, operands, rows)
    sizes = sizes_of((*rows.inputs, *rows.outputs), [x.shape for x in found[0].values])
    given = tuple(split_of(spec, len(x.shape)) for spec, x in zip(specs, operands))
    placed = tuple(split_of(s, len(row)) for s, row in zip(wanted or (), rows.outputs))
    problem = Problem(call, operands, given, mesh, rows, sizes, found, hidden)
    trials = []
    for axes, reasons in _wishes(problem, placed):
        left = placed if wanted else tuple(_left(problem, row, axes) for row in rows.outputs)
        trials.append((*cheapest(problem, axes, left), axes, reasons, left))
    most = trials[0][1].collectives
    fewest = min((t for t in trials if t[1].collectives <= most), key=lambda trial: trial[1])
    choice, cost, axes, reasons, placed = fewest
    way = problem.way(choice.axes)
    made = steps(problem, choice)
    assert made is not None  # the cheapest choice always has steps
    done, splits = made
    return Plan(
        tuple(map(spec_of, splits[: len(operands)])),
        tuple(spec_of(splits[place]) for place in way.results),
        tuple(map(spec_of, placed)),
        way,
        tuple(done),
        tuple(_moved(problem, splits, choice.axes, axes, reasons)),
        cost.bytes,
    )


def _wishes(problem: Problem, placed: Sequence[Split]) -> Iterator[Wish]:
    """Yield candidates: the mesh axes that split each factor, and the reasons for the rejected
    axes.

    If operands split a factor differently, the split with the most bytes is chosen first. A factor
    that occurs only in results is split like `placed`. Then each rejected split is tried too, the
    largest array first.
    """
    found = _found(problem, placed)
    axes, reasons = _wish(problem, found)
    yield axes, reasons
    sizes = problem.ways[0].bytes
    rows = *problem.rows.inputs, *problem.rows.outputs
    arrays = sorted(zip(sizes, rows, (*problem.given, *placed)), key=lambda each: -each[0])
    own = dict.fromkeys(_pairs(row, split) for _, row, split in arrays)
    others = [pairs for pairs in own if any(axes.get(f) != wanted for f, wanted in pairs)]
    tried = [axes]
    for pairs in others[:TRIALS]:
        axes, reasons = _wish(problem, [*pairs, *found])
        if axes not in tried:
            tried.append(axes)
            yield axes, reasons


def _wish(problem: Problem, found: Sequence[Pair]) -> Wish:
    """Return the axes that split each factor if the pairs in `found` are applied in order.

    If the kernel rejects the shards of this split, the axes are added and checked one by one.
    """
    axes, reasons = _wished(problem, found, check=False)
    if axes and complaint(problem, axes):
        return _wished(problem, found, check=True)
    return axes, reasons


def _pairs(row: Row, split: Split) -> tuple[Pair, ...]:
    """Return each split factor of an array, with the mesh axes that split the factor."""
    return tuple((f, axes) for f, axes in zip(row, split) if axes and f is not None)


def _wished(problem: Problem, found: Sequence[Pair], check: bool) -> Wish:
    axes: dict[Factor, tuple[str, ...]] = {}
    reasons: dict[tuple[Factor, str], str] = {}
    decided: set[Factor] = set()
    for factor, wanted in found:
        if factor in decided:
            continue
        decided.add(factor)
        for axis in wanted:
            more = {**axes, factor: (*axes.get(factor, ()), axis)}
            reason = refusal(problem, axes, factor, axis)
            reason = reason or (complaint(problem, more) if check else None)
            if reason is None:
                axes = more
            else:
                reasons[factor, axis] = reason
    return axes, reasons


def _found(problem: Problem, placed: Sequence[Split]) -> list[Pair]:
    """Return all splits of factors in operands, sorted by bytes, the most first. Splits of factors
    that occur only in results are at the end.
    """
    votes: dict[Pair, int] = {}
    sizes = problem.ways[0].bytes
    for row, split, size in zip(problem.rows.inputs, problem.given, sizes):
        for pair in _pairs(row, split):
            votes[pair] = votes.get(pair, 0) + size
    there = {factor for row in problem.rows.inputs for factor in row}
    made = zip(problem.rows.outputs, placed)
    pairs = (pair for row, split in made for pair in _pairs(row, split))
    others = [(factor, axes) for factor, axes in pairs if factor not in there]
    return sorted(votes, key=votes.__getitem__, reverse=True) + others


def _left(problem: Problem, row: Row, axes: Axes) -> Split:
    """Return the split of a result: for each dim, the split of the first operand that splits this
    dim.
    """
    found: list[tuple[str, ...]] = []
    for factor in row:
        wanted = axes_of(axes, factor)
        if factor is not None and not may_split(problem.call, factor):
            wanted = _first(problem, factor)
        used = {axis for dim in found for axis in dim}
        found.append(tuple(axis for axis in wanted if axis not in used))
    return tuple(found)


def _first(problem: Problem, factor: Factor) -> tuple[str, ...]:
    """Return the axes of the first operand that splits `factor`.

    If no operand splits `factor`, return the axes of the first operand that evenly splits a
    multiple of this factor: `2*d` for `d`.
    """
    for row, split in zip(problem.rows.inputs, problem.given):
        for other, axes in zip(row, split):
            if other == factor and axes:
                return axes
    for row, split in zip(problem.rows.multiples, problem.given):
        for other, axes in zip(row, split):
            if other == factor and not min(problem.sizes[factor]) % shards(axes, problem.mesh):
                return axes
    return ()


def _moved(
    problem: Problem,
    splits: Sequence[Split],
    axes: Axes,
    wished: Axes,
    reasons: Mapping[tuple[Factor, str], str],
) -> Iterator[Moved]:
    """Yield the axes that split a dim of an operand before the call but not in the plan, with
    reasons.
    """
    for place, (row, split) in enumerate(zip(problem.rows.inputs, problem.given)):
        for dim, (factor, given) in enumerate(zip(row, split)):
            for axis in given:
                if axis in splits[place][dim]:
                    continue
                if factor is None:
                    reason: str | None = "the dim has no name that could be split"
                elif axis in wished.get(factor, ()):
                    reason = "that moves fewer bytes than to leave it split"
                else:
                    reason = reasons.get((factor, axis))
                yield Moved(place, dim, axis, reason or "another operand is split otherwise")
