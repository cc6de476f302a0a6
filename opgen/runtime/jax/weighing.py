"""Compute the cost of each way to split a call, and choose the cheapest."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from .factors import Factor
from .refusals import Problem, complaint, refusal
from .splits import Split, bytes_between, reduced_bytes
from .stages import Axes
from .steps import Choice, steps, without


class Cost(NamedTuple):
    """The cost of a split: the bytes that each device receives. If two splits move the same number
    of bytes, the one with fewer collectives is cheaper.
    """

    bytes: float
    collectives: int = 0


def cheapest(problem: Problem, axes: Axes, placed: Sequence[Split]) -> tuple[Choice, Cost]:
    """Return the cheapest way to split a call, and its cost. `axes` is the split to start from.

    The result may leave some mesh axes unused, use them for another dim, or compute some stages
    without a split, if this is cheaper. If `problem.hidden` is set, no axis of `axes` moves to
    another dim, because unknown axes may already split that dim. `placed` is the expected split of
    the results.
    """
    best, least = _filled(problem, axes, placed)
    for dropped in _given_up(axes):
        if not least.bytes:
            break
        kept = dropped if problem.hidden else frozenset()
        found, moved = _filled(problem, without(axes, dropped), placed, kept)
        if moved < least:
            best, least = found, moved
    return best, least


def _given_up(axes: Axes) -> Iterator[frozenset[str]]:
    """Yield every nonempty set of the mesh axes in `axes`, as candidates for removal."""
    among = dict.fromkeys(axis for taken in axes.values() for axis in taken)
    for count in range(1, len(among) + 1):
        yield from map(frozenset, itertools.combinations(among, count))


def _filled(
    problem: Problem, axes: Axes, placed: Sequence[Split], kept: Collection[str] = ()
) -> tuple[Choice, Cost]:
    """Try to use the mesh axes that `axes` leaves unused. Return the cheapest choice found, and its
    cost.

    The axes in `kept` stay unused. A dim of one tensor of a list gets no axis, because a list may be
    long, and the other tensors would save nothing.
    """
    best, least = _least_whole(problem, axes, placed)
    left = [axis for axis in _left_over(problem, axes) if axis not in kept]
    alone = [factor for factor in problem.sizes if factor.number is None]
    for groups in ([(axis,) for axis in left], [tuple(left)] if left[1:] else []):
        more = axes
        for group in groups:
            start = more
            for factor in alone:
                tried = _added(problem, start, factor, group)
                if tried is None:
                    continue
                found, moved = _least_whole(problem, tried, placed)
                if moved < least and not complaint(problem, tried):
                    best, more, least = found, tried, moved
    return best, least


def _added(problem: Problem, axes: Axes, factor: Factor, group: Sequence[str]) -> Axes | None:
    """Return `axes` with the mesh axes in `group` added to `factor`; None if one of them may not
    split `factor`.
    """
    for axis in group:
        if refusal(problem, axes, factor, axis, even=True):
            return None
        axes = {**axes, factor: (*axes.get(factor, ()), axis)}
    return axes


def _left_over(problem: Problem, axes: Axes) -> list[str]:
    """Return the mesh axes that split some operand before the call, but no factor in `axes`."""
    used = {axis for taken in axes.values() for axis in taken}
    given = dict.fromkeys(a for split in problem.given for dim in split for a in dim)
    return [axis for axis in given if axis not in used]


def _least_whole(problem: Problem, axes: Axes, placed: Sequence[Split]) -> tuple[Choice, Cost]:
    """Try to compute some stages without a split. Return the cheapest choice found, and its cost."""
    count = len(problem.way(axes).stages)
    best = Choice(axes, (frozenset(),) * count)
    least = _cost(problem, best, placed)
    if count == 1:
        return best, least
    names = problem.call.kernel.stages
    among = [a for f, taken in axes.items() if f.name in names for a in taken]
    groups = [*([axis] for axis in reversed(among)), *([among] if among[1:] else [])]
    for group, some in itertools.product(groups, _subsets(count)):
        if not least.bytes:
            break
        whole = tuple(
            each | ({*group} if n in some else set()) for n, each in enumerate(best.whole)
        )
        found = replace(best, whole=tuple(map(frozenset, whole)))
        moved = _cost(problem, found, placed)
        if moved < least:
            best, least = found, moved
    return best, least


def _subsets(count: int) -> list[tuple[int, ...]]:
    """Return every nonempty proper subset of the indices of `count` stages."""
    sizes = range(1, count)
    return [s for size in sizes for s in itertools.combinations(range(count), size)]


def _cost(problem: Problem, choice: Choice, placed: Sequence[Split]) -> Cost:
    """Return the cost of moving operands and results to their splits, and of all reductions."""
    mesh, way = problem.mesh, problem.way(choice.axes)
    found = steps(problem, choice)
    if found is None:
        return Cost(math.inf)
    done, splits = found
    moved = [
        bytes_between(size, before, after, mesh)
        for size, before, after in zip(way.bytes, problem.given, splits)
    ]
    reduced, times = 0, set()
    made = iter(way.bytes[len(problem.operands) :])
    for number, step in enumerate(done):
        for split, kinds, size in zip(step.splits, step.reductions, made):
            for how, over, _ in kinds:
                reduced += reduced_bytes(size, split, over, mesh)
                times.add((number, how, over))  # equal reductions of one step run together
    for place, left in zip(way.results, placed):
        moved.append(bytes_between(way.bytes[place], splits[place], left, mesh))
    return Cost(sum(moved) + reduced, sum(map(bool, moved)) + len(times))
