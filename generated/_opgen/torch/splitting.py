"""Find the ways to split a call over a mesh, from the names of its dims.

Each dim of the mesh splits only tensor dims of one name, or no dims. Results that are linear in
inputs may remain partial sums, as these inputs are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from torch.distributed.tensor import Partial, Replicate, Shard
from torch.distributed.tensor._dtensor_spec import DTensorSpec

from ..core.facts import Key, Reduction, Shape, Term
from .costs import cost_between, moved
from .dtypes import DTYPES
from .problem import SUMS, Axis, Column, Placed, Placements, Problem
from .shards import are_taken, runs_shards
from .stages import Step, chains, steps


@dataclass(frozen=True)
class Way:
    """A way to split a call: the placements of its inputs and results, and the cost."""

    inputs: Placed
    results: dict[str, Placements]
    cost: float


def ways(problem: Problem) -> Iterator[Way]:
    """Yield the ways to split a call. The first way splits nothing.

    If every input is replicated over a dim of the mesh, this dim splits nothing.
    """
    known = chains(problem)
    for columns in product(*(_columns(problem, n) for n in range(problem.mesh.ndim))):
        inputs = {name: [*zip(*(column[name] for column in columns))] for name in problem.placed}
        if _fits(problem, inputs):
            found = _first(known, inputs)
            if found is not None:
                made = {n: each.left for step in found for n, each in step.made.items()}
                results = {name: made[name] for name in problem.made}
                cost = _cost(problem, inputs, found, results)
                yield Way(inputs, results, cost)


def steps_of(problem: Problem, inputs: Placed) -> list[Step]:
    """Return the steps that compute a call whose inputs have the placements of one of `ways`."""
    found = _first(chains(problem), inputs)
    assert found is not None
    return found


def _first(known: Sequence[Sequence[Problem]], inputs: Placed) -> list[Step] | None:
    """Return the steps of the first chain of calls that accepts inputs with these placements."""
    skips = runs_shards(known[0][0].call)
    for chain in known:
        found = steps(chain, inputs)
        if found is not None and all(are_taken(step, skips) for step in found):
            return found
    return None


def _given(problem: Problem) -> Placed:
    return {n: [spec.placements for spec in own] for n, own in problem.placed.items()}


def _columns(problem: Problem, mesh_dim: int) -> list[Column]:
    """Return the possible placements of the inputs over a dim of the mesh."""
    given = {n: [spec.placements[mesh_dim] for spec in own] for n, own in problem.placed.items()}
    axes: list[Axis] = [{}]
    if not all(p.is_replicate() for own in given.values() for p in own):
        axes += _axes(problem, mesh_dim)
    split = (_column(problem, axis) for axis in axes)
    summed = (
        {n: own if n in group else [Replicate()] * len(own) for n, own in given.items()}
        for group in problem.facts.linear
    )
    return [*filter(None, split), *(each for each in summed if problem.summed(each) in SUMS)]


def _axes(problem: Problem, mesh_dim: int) -> Iterator[Axis]:
    """Yield the axes that a dim of the mesh may split.

    An axis is the dim of one name, or for a name `name[i]` the dims of several tensors in a list.
    """
    shapes = (shape for shapes in problem.shapes.values() for shape in shapes)
    elements = {term.key[0] for shape in shapes for term in shape if term.number is not None}
    for name in dict.fromkeys((*problem.names, *problem.staged)):
        if name in elements:
            axis = _as_it_is(problem, name, mesh_dim)
            if axis:
                yield axis
        for place in range(problem.ranks.get((name, None), 1)):
            yield {(name, None): place}


def _as_it_is(problem: Problem, name: str, mesh_dim: int) -> Axis:
    """Return the current split, by a dim of the mesh, of dims `name[i]` of tensors in lists."""
    axis = problem.axes(_given(problem))[mesh_dim]
    return {key: at for key, at in axis.items() if key[0] == name}


def _column(problem: Problem, axis: Axis) -> Column | None:
    """Return the placements of the inputs over a dim of the mesh that splits `axis`.

    Return None if an updated input would have to be gathered.
    """
    found = {
        name: [_placement(problem, name, shape, axis) for shape in shapes]
        for name, shapes in problem.shapes.items()
    }
    return None if any(None in own for own in found.values()) else found


def _placement(problem: Problem, name: str, shape: Shape, axis: Axis) -> Any:
    """Return the placement of a tensor of input `name` over a dim of the mesh that splits `axis`.

    Return None if the input is updated and its shards cannot be combined.
    """
    dim = problem.dim(shape, axis)
    if dim is not None:
        return Shard(dim)
    if name not in problem.call.updated:
        return Replicate()
    kinds = problem.kinds[name]
    how = {kinds.get(each) for each in problem.lacks(shape, axis)} - {Reduction("same")}
    if not how:
        return Replicate()
    reduction, *others = how
    if others or reduction is None or reduction.kind == "local":
        return None
    return Partial(reduction.kind)


def _fits(problem: Problem, inputs: Placed) -> bool:
    """Return whether a split is possible.

    Updated inputs must keep their placements, and no redistribution may leave shards empty. A split
    of a product such as `hk*g` along `hk` must give each shard a multiple of `g`.
    """
    for name, own in problem.placed.items():
        updated = name in problem.call.updated
        for spec, placements in zip(own, inputs[name]):
            if spec.placements != placements and (updated or _starves(spec, placements)):
                return False
    counts: dict[tuple[Key, int], int] = {}
    for size, axis in zip(problem.mesh.shape, problem.axes(inputs)):
        for each in axis.items():
            counts[each] = counts.get(each, 1) * size
    return all(_divides(problem, *each, count) for each, count in counts.items())


def _starves(spec: DTensorSpec, placements: Sequence[Any]) -> bool:
    """Return whether a redistribution would give some processes wrong shards.

    This happens if a dim that gets another split is smaller than the number of processes. DTensor
    sends each process the same number of elements of this dim. For a dim of size 1, eight processes
    would receive eight elements in total.
    """
    for given, placement in zip(spec.placements, placements):
        if isinstance(placement, Shard) and given not in (placement, Replicate()):
            split = zip(spec.mesh.shape, placements)
            if spec.shape[placement.dim] < prod(n for n, p in split if p == placement):
                return True
    return False


def _divides(problem: Problem, key: Key, place: int, count: int) -> bool:
    """Return whether a split of `key` into `count` shards splits only this factor of products, and
    not their other factors.

    For example, each shard of `hk*g` must be a multiple of `g`.
    """
    found: dict[Term, int] = {}
    for argument, shapes in problem.shapes.items():
        for shape, sizes in zip(shapes, problem.sizes[argument]):
            dim = problem.dim(shape, {key: place})
            if dim is not None:
                found[problem.at(shape, dim)[0]] = sizes[dim]
    if not any(term.kind == "product" for term in found):
        return True
    for term, size in found.items():
        values = (problem.specs.get(name) for name in term.factors)
        factors = [value for value in values if isinstance(value, int)]
        if len(factors) == len(term.factors):
            return size % (count * prod(factors)) == 0
    return False


def _cost(
    problem: Problem, inputs: Placed, computed: Sequence[Step], results: dict[str, Placements]
) -> float:
    """Return the number of bytes of inputs, partial results and results that a way to split a call
    moves.

    The estimate assumes that the caller needs each result split like the inputs, without partial
    sums. If the inputs are split in different ways, a result may have any of these splits. Partial
    results need a reduce-scatter, or an all-reduce if no input is split.
    """
    mesh, total = problem.mesh, 0.0
    for name, own in problem.placed.items():
        for spec, placements in zip(own, inputs[name]):
            total += moved(spec, mesh, placements)
    for step in computed:
        for name, made in step.made.items():
            spec = step.problem.computed[name]
            total += cost_between(spec.shape, _width(spec), mesh, made.parts, made.left)
    given = _given(problem)
    splits, axes = problem.splits(given), problem.axes(given)
    for name, placements in results.items():
        shape, after = problem.made[name], [*placements]
        for at, placement in enumerate(placements):
            if isinstance(placement, Shard) and splits[at]:
                term, place = problem.at(shape, placement.dim)
                if (term.key, place) not in splits[at]:
                    dim = problem.dim(shape, axes[at])
                    after[at] = Replicate() if dim is None else Shard(dim)
            elif placement.is_partial():
                after[at] = Shard(-1) if splits[at] else Replicate()  # -1: along some dim
        spec = problem.computed[name]
        total += cost_between(spec.shape, _width(spec), mesh, placements, after)
    return total


def _width(spec: Any) -> int:
    """Return the number of bytes in an element."""
    return DTYPES[spec.dtype].itemsize
