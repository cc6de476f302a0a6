"""How a split call is computed: by its own kernel, or by stages. Rendered by opgen.

A stage is a call of another op. It takes arguments of the call, and what earlier stages
made of them, put together from all shards.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torch.distributed.tensor import Partial, Replicate, Shard

from ..core.runtime import TensorSpec
from .problem import FACTS, Axis, Facts, Placed, Placements, Problem


@dataclass(frozen=True)
class Made:
    """A result of a step: how what the shards compute of it is placed, and how it is left.

    It is a mean over the names of `means`; `weight` is the result that counts what a
    shard's mean is of, where shards of one size may count differently.
    """

    parts: Placements
    left: Placements
    means: frozenset[str] = frozenset()
    weight: str | None = None

    @property
    def is_plain(self) -> bool:
        """Whether nothing is done with what the shards compute."""
        return self.parts == self.left and not self.means and self.weight is None


@dataclass(frozen=True)
class Step:
    """A call on shards: of an op itself, or of a stage.

    `axes` says what each dim of the mesh splits, in the words of what is called.
    """

    problem: Problem
    axes: Sequence[Axis]
    inputs: Placed
    made: Mapping[str, Made]


def chains(problem: Problem) -> list[list[Problem]]:
    """The calls that compute a call: the call itself, then those of each list of stages."""
    staged = (_chain(problem, names) for names in problem.staged.values())
    return [[problem], *filter(None, staged)]


def steps(chain: Sequence[Problem], inputs: Placed) -> list[Step] | None:
    """The calls of a chain on inputs that are placed so; None if one cannot be split so."""
    found: list[Step] = []
    placed = dict(inputs)
    for n, problem in enumerate(chain):
        own = {
            name: placed.get(name) or [problem.whole] * len(held)
            for name, held in problem.placed.items()
        }
        axes = problem.axes(own)
        needed = {name for later in chain[n + 1 :] for name in later.facts.inputs}
        made = _results(problem, axes, needed)
        if made is None:
            return None
        found.append(Step(problem, axes, own, made))
        placed |= {name: [each.left] for name, each in made.items()}
    return found


def _chain(problem: Problem, names: Sequence[str]) -> list[Problem] | None:
    """The calls of stages; None where one is not known to DTensor."""
    if not all(name in FACTS for name in names):
        return None
    found: list[Problem] = []
    values = dict(problem.given)
    for facts, asked in _needed(problem, names):
        taken = facts.taken(asked)
        given = {
            each: (
                _argument(problem, facts, each, values)
                if each in taken or each not in facts.inputs
                else None
            )
            for each in facts.call.defaults
            if each != "wanted"
        }
        if facts.call.on_request:
            given["wanted"] = facts.call.bits(asked & {*facts.call.on_request})
        found.append(Problem.of(facts, given, problem.mesh))
        values |= {n: v and problem.described(v) for n, v in found[-1].computed.items()}
    return found


def _needed(problem: Problem, names: Sequence[str]) -> list[tuple[Facts, set[str]]]:
    """The stages without which some result is not made, and what is asked of each."""
    found: list[tuple[Facts, set[str]]] = []
    asked = {name for name, spec in problem.computed.items() if spec is not None}
    for name in reversed(names):
        own = asked & {*FACTS[name].results}
        if own:
            found.insert(0, (FACTS[name], own))
            asked |= FACTS[name].taken(own)
    return found


def _argument(problem: Problem, facts: Facts, name: str, values: Mapping[str, Any]) -> Any:
    """What a stage of `problem` gets for an argument."""
    if name in values:
        return values[name]
    if name in facts.begins:
        return problem.described(TensorSpec((), "i64"))
    return None if name in facts.inputs else problem.size(name)


def _results(
    problem: Problem, axes: Sequence[Axis], needed: Collection[str]
) -> dict[str, Made] | None:
    """The results of a call; None where one cannot be put together, or a name not be split.

    What is needed later is put together at once. So are means that are weighted, and their
    weights: a placement knows of one tensor.
    """
    if not {n.partition("[")[0] for axis in axes for n in axis} <= {*problem.names}:
        return None
    found: dict[str, Made] = {}
    for name, (terms,) in problem.made.items():
        made = _made(problem, problem.kinds.get(name, {}), terms, axes)
        if made is None:
            return None
        found[name] = made
    at_once = {*needed, *(each.weight for each in found.values())}
    for name, made in found.items():
        if made.weight or name in at_once:
            left = (Replicate() if p.is_partial() else p for p in made.parts)
            found[name] = Made(made.parts, tuple(left), made.means, made.weight)
    return found


def _made(
    problem: Problem, kinds: Mapping[str, str], terms: Sequence[str], axes: Sequence[Axis]
) -> Made | None:
    """A result with these terms that is reduced so; left in parts."""
    parts: list[Any] = []
    used: set[str] = set()
    means: set[str] = set()
    for axis in axes:
        dim = problem.tensors.dim(terms, axis)
        lacking = set() if dim is not None else problem.tensors.lacks(terms, axis)
        how = {kinds.get(name) for name in lacking} - {"same"}
        if dim is not None:
            parts.append(Shard(dim))
        elif not how:
            parts.append(Replicate())
        elif how & {None, "local"} or len(how) > 1:
            return None
        else:
            (kind,) = filter(None, how)
            used.add(kind)
            means |= lacking if kind == "mean" else set()
            parts.append(Partial("sum" if kind.startswith("mean") else kind))
    weights = {kind[5:-1] for kind in used if "(" in kind}
    if len({p.reduce_op for p in parts if p.is_partial()}) > 1 or (weights and len(used) > 1):
        return None
    return Made(tuple(parts), tuple(parts), frozenset(means), next(iter(weights), None))
