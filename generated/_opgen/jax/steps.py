"""Derive the steps that compute a call on shards from a decision on how to split its dims."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .call import Call, Reduce
from .factors import Factor, Row, axes_of
from .refusals import REDUCING, Problem, on_shards
from .splits import Split, shards
from .stages import Axes, Stage, Way

# The kind, the mesh axes, and the position of the weight among the results, if there is one.
Reduction = tuple[str, tuple[str, ...], int | None]
Reductions = tuple[tuple[Reduction, ...], ...]  # the reductions of each result
# An operand, a dim of it, and the mesh axes over which each shard takes its part of the dim.
Cut = tuple[int, int, tuple[str, ...]]


@dataclass(frozen=True)
class Choice:
    """A decision: the mesh axes that split each factor, and the exceptions for single stages.

    `whole` has, for each stage, the axes over which the stage is not split. Along these axes, all
    devices compute the same values in this stage.
    """

    axes: Axes
    whole: tuple[frozenset[str], ...]

    def of(self, stage: int) -> dict[Factor, tuple[str, ...]]:
        """Return the mesh axes that split each factor in one stage."""
        return without(self.axes, self.whole[stage])


@dataclass(frozen=True)
class Step:
    """A stage of a call on shards: the split of its results, and the reductions that they need.

    In `call`, an attr that is the size of a split dim has the size of a shard. `cuts` lists
    operands that must be split further for the stage. `begins` lists operands that hold the start
    index of a dim, each with the axes that split the dim and the size of a shard.
    """

    stage: Stage
    call: Call
    splits: tuple[Split, ...]
    reductions: Reductions
    cuts: tuple[Cut, ...]
    begins: tuple[tuple[int, tuple[str, ...], int], ...]


def without(axes: Axes, whole: frozenset[str]) -> dict[Factor, tuple[str, ...]]:
    """Return `axes`, the mesh axes that split each factor, without the axes in `whole`."""
    found = {f: tuple(a for a in taken if a not in whole) for f, taken in axes.items()}
    return {factor: taken for factor, taken in found.items() if taken}


def split(row: Row, axes: Axes) -> Split:
    return tuple(axes_of(axes, factor) for factor in row)


def entries(problem: Problem, way: Way, choice: Choice) -> list[Split]:
    """Return the split of each operand before the first step: the finest split that all stages
    which read the operand allow.
    """
    found = []
    for place, row in enumerate(problem.rows.inputs):
        takers = (w for s, w in zip(way.stages, choice.whole) if place in s.operands)
        found.append(split(row, without(choice.axes, frozenset().union(*takers))))
    return found


def steps(problem: Problem, choice: Choice) -> tuple[list[Step], list[Split]] | None:
    """Return the steps and the split of each value, or None if a stage would have to gather a
    value.
    """
    way = problem.way(choice.axes)
    splits, found = entries(problem, way, choice), []
    for n, stage in enumerate(way.stages):
        own = stage.own(choice.of(n))
        cuts: list[Cut] = []
        for operand, (row, place) in enumerate(zip(stage.rows.inputs, stage.operands)):
            if place is not None:
                more = _cuts(problem, way, operand, splits[place], split(row, own), place)
                if more is None:
                    return None
                cuts += more
        rows, reduce = stage.rows.outputs, stage.call.reduce
        made = tuple(split(row, own) for row in rows)
        reductions = tuple(tuple(_rest(how, row, own)) for how, row in zip(reduce, rows))
        call = on_shards(stage.call, own, problem.mesh)
        begins = tuple(_begins(problem, stage, own))
        found.append(Step(stage, call, made, reductions, tuple(cuts), begins))
        splits += made
    return found, splits


def _cuts(
    problem: Problem, way: Way, operand: int, before: Split, after: Split, place: int
) -> list[Cut] | None:
    """Return the dims of an operand that a stage splits further than `before`.

    Return None if `after` is not a refinement of `before`, or if a dim cannot be divided evenly.
    """
    found = []
    for dim, (had, wanted) in enumerate(zip(before, after)):
        if had == wanted:
            continue
        size = way.values[place].shape[dim]
        if wanted[: len(had)] != had or size % shards(wanted, problem.mesh):
            return None
        found.append((operand, dim, wanted[len(had) :]))
    return found


def _begins(
    problem: Problem, stage: Stage, axes: Axes
) -> Iterator[tuple[int, tuple[str, ...], int]]:
    """Yield the operands that hold the start index of a split dim, as in `Step.begins`."""
    for operand, name in stage.call.begins:
        own = Factor(name, 0)
        if axes.get(own):
            factor = next(f for f, name in stage.names.items() if name == own)
            size = min(problem.sizes[factor])
            yield operand, axes[own], -(-size // shards(axes[own], problem.mesh))


def _rest(how: Reduce, row: Row, axes: Axes) -> Iterator[Reduction]:
    """Yield the reductions that a result needs: over the axes that split dims which the result
    lacks.
    """
    for name, kind, weight in how:
        lacking = [f for f in axes if f.name == name and f not in row]
        over = tuple(axis for factor in lacking for axis in axes[factor])
        if over and kind in REDUCING:
            yield kind, over, weight
