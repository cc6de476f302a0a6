"""Compute a split call with its own kernel, or with stages.

A stage is a call to another op. Its arguments are arguments of the whole call, and results of
earlier stages, combined from all shards.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from torch.distributed.tensor import Partial, Replicate, Shard

from ..core.facts import Reduction, Shape, needed_stages
from ..core.runtime import TensorSpec
from .call import CALLS, Call
from .problem import Axis, Placed, Placements, Problem


class Weight(NamedTuple):
    """The result that a reduction also reads, and the kind of the reduction."""

    kind: str
    result: str


@dataclass(frozen=True)
class Made:
    """The placements of a step's result. `parts` has the placements of the values that the kernels
    return for the shards, and `left` has the placements after the reduction.

    The result is a mean over the dims in `means`. `weight` is set if the reduction reads another
    result.
    """

    parts: Placements
    left: Placements
    means: frozenset[str] = frozenset()
    weight: Weight | None = None

    @property
    def is_plain(self) -> bool:
        """Return whether the shards' results need no further reduction."""
        return self.parts == self.left and not self.means and self.weight is None


@dataclass(frozen=True)
class Step:
    """A call to an op or a stage on shards.

    `axes` has, for each dim of the mesh, the dims of the called op that the mesh dim splits.
    """

    problem: Problem
    axes: Sequence[Axis]
    inputs: Placed
    made: Mapping[str, Made]


def chains(problem: Problem) -> list[list[Problem]]:
    """Return the ways to compute a call, each a list of calls: first the call itself, then its
    stages.
    """
    staged = (_chain(problem, names) for names in problem.staged.values())
    return [[problem], *filter(None, staged)]


def steps(chain: Sequence[Problem], inputs: Placed) -> list[Step] | None:
    """Return the steps that run a chain on inputs with these placements; None if a step cannot be
    split.
    """
    found: list[Step] = []
    placed = dict(inputs)
    for n, problem in enumerate(chain):
        own = {
            name: placed.get(name) or [problem.whole] * len(held)
            for name, held in problem.placed.items()
        }
        axes = problem.axes(own)
        sums = [
            problem.summed({name: [p[at] for p in held] for name, held in own.items()})
            for at in range(problem.mesh.ndim)
        ]
        needed = {name for later in chain[n + 1 :] for name in later.call.inputs}
        made = _results(problem, axes, sums, needed)
        if made is None:
            return None
        found.append(Step(problem, axes, own, made))
        placed |= {name: [each.left] for name, each in made.items()}
    return found


def _chain(problem: Problem, names: Sequence[str]) -> list[Problem] | None:
    """Return the calls to the stages; None if one of these ops is not registered with DTensor."""
    if not all(name in CALLS and CALLS[name].facts.told for name in names):
        return None
    found: list[Problem] = []
    values = dict(problem.given)
    results = [name for name, spec in problem.computed.items() if spec is not None]
    for facts, asked in needed_stages([CALLS[name].facts for name in names], results):
        call, taken = CALLS[facts.name], facts.taken(asked)
        given = {
            each: (
                _argument(problem, call, each, values)
                if each in taken or each not in call.inputs
                else None
            )
            for each in call.defaults
            if each != "wanted"
        }
        if call.on_request:
            given["wanted"] = call.bits(asked & {*call.on_request})
        found.append(Problem.of(call, given, problem.mesh))
        values |= {n: v and problem.described(v) for n, v in found[-1].computed.items()}
    return found


def _argument(problem: Problem, call: Call, name: str, values: Mapping[str, Any]) -> Any:
    """Return the value of argument `name` for a stage of the call `problem`."""
    if name in values:
        return values[name]
    if name not in call.inputs:
        return problem.size(name)
    begins = any(each.name == name and each.begin for each in call.facts.inputs)
    return problem.described(TensorSpec((), "i64")) if begins else None


def _results(
    problem: Problem, axes: Sequence[Axis], sums: Sequence[Any], needed: Collection[str]
) -> dict[str, Made] | None:
    """Return the results of a call on shards. Return None if a result cannot be combined from
    shards, or if the dims of a name in `axes` cannot be split.

    A result that a later stage needs is combined immediately. Weighted results and their weights
    are also combined immediately, because a placement describes only one tensor.
    """
    if None in sums or not {name for axis in axes for name, _ in axis} <= {*problem.names}:
        return None
    found: dict[str, Made] = {}
    for name, shape in problem.made.items():
        made = _made(problem, problem.kinds[name], shape, axes, sums)
        if made is None:
            return None
        found[name] = made
    at_once = {*needed, *(each.weight.result for each in found.values() if each.weight)}
    for name, made in found.items():
        if made.weight or name in at_once:
            left = (Replicate() if p.is_partial() else p for p in made.parts)
            found[name] = Made(made.parts, tuple(left), made.means, made.weight)
    return found


def _made(
    problem: Problem,
    kinds: Mapping[str, Reduction],
    shape: Shape,
    axes: Sequence[Axis],
    sums: Sequence[Any],
) -> Made | None:
    """Return the placements of a result of this shape, without any reduction of its shards.

    Return None if the result cannot be combined from shards.
    """
    parts: list[Any] = []
    used: set[Reduction] = set()
    means: set[str] = set()
    for axis, unsplit in zip(axes, sums):
        dim = problem.dim(shape, axis)
        lacking = set() if dim is not None else problem.lacks(shape, axis)
        how = {kinds.get(name) for name in lacking} - {Reduction("same")}
        if dim is not None:
            parts.append(Shard(dim))
        elif not how:
            parts.append(unsplit)
        elif how & {None, Reduction("local")} or len(how) > 1:
            return None
        else:
            (reduction,) = filter(None, how)
            used.add(reduction)
            means |= lacking if reduction == Reduction("mean") else set()
            summed = reduction.kind in ("mean", "sum_exp")
            parts.append(Partial("sum" if summed else reduction.kind))
    weights = [Weight(kind, result) for kind, result in used if result]
    if len({p.reduce_op for p in parts if p.is_partial()}) > 1 or (weights and len(used) > 1):
        return None
    return Made(tuple(parts), tuple(parts), frozenset(means), next(iter(weights), None))
