"""The ways in which a call may be split over a mesh: all follows from the names of the dims.

Each dim of the mesh splits one name, or none. Rendered by opgen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.tensor import Partial, Replicate, Shard
from torch.distributed.tensor._dtensor_spec import DTensorSpec

from ...core import TensorSpec
from .call import Call, attr_of
from .dims import Tensors, fit, name_of
from .dtypes import NAMES

# A shape, several of which one goes by rank, a list's; how something is reduced; or a
# function of the arguments that gives one.
Form = Any
# What a dim of a mesh splits: names, and for a group the place of the dim in it.
Axis = Mapping[str, int]
# The placements of each tensor of an argument.
Placed = dict[str, list[tuple[Any, ...]]]


@dataclass(frozen=True)
class Facts:
    """What the spec says: see `dtensor.register`."""

    call: Call
    split: Sequence[str] | Callable[..., Sequence[str]]
    inputs: Mapping[str, Form]
    results: Mapping[str, Form]
    reduce: Mapping[str, Mapping[str, Form]]


@dataclass(frozen=True)
class Way:
    """A way to split a call: how its inputs are placed, and its results then are."""

    inputs: Placed
    results: Placed


@dataclass(frozen=True)
class Problem:
    """A call on DTensors."""

    facts: Facts
    mesh: DeviceMesh
    placed: Mapping[str, list[DTensorSpec]]  # the tensors of each input
    specs: Mapping[str, Any]  # all arguments, as `core` knows them
    made: Mapping[str, list[Sequence[str]]]  # the terms of the results that there are
    tensors: Tensors

    @staticmethod
    def of(facts: Facts, args: Sequence[Any], mesh: DeviceMesh) -> Problem:
        """A call with these arguments, each tensor as DTensor's spec of it."""
        call = facts.call
        given = call.bind(args)
        specs = {name: _spec(value) for name, value in given.items()}
        # An empty list is absent.
        specs |= {name: specs[name] or None for name in facts.inputs}
        computed = dict(zip(facts.results, call.results(specs)))
        placed = {name: _placed(given[name]) for name in facts.inputs}
        ranks = {name: [len(s.shape) for s in own] for name, own in placed.items()}
        attrs = {n: len(v) for n, v in specs.items() if n not in placed and isinstance(v, list)}  # fmt: skip
        tensors = fit(_chosen(facts.inputs, specs), ranks, attrs)
        forms = _chosen(facts.results, specs)
        made = tensors.of({n: f for n, f in forms.items() if computed[n] is not None})
        return Problem(facts, mesh, placed, specs, made, tensors)

    @cached_property
    def names(self) -> Sequence[str]:
        """The names that may be split."""
        split = self.facts.split
        return split(**self.specs) if callable(split) else split

    @cached_property
    def kinds(self) -> Mapping[str, Mapping[str, str]]:
        """How each thing that is written is reduced over each name."""
        reduce = self.facts.reduce
        return {name: _chosen(how, self.specs) for name, how in reduce.items()}

    @property
    def sizes(self) -> dict[str, list[tuple[int, ...]]]:
        """The shape of each tensor of each input."""
        return {name: [tuple(s.shape) for s in own] for name, own in self.placed.items()}  # fmt: skip


def ways(problem: Problem) -> Iterator[Way]:
    """The ways to split a call; that which splits nothing comes first."""
    choices = [[{}, *_axes(problem, dim)] for dim in range(problem.mesh.ndim)]
    for axes in product(*choices):
        way = _way(problem, axes)
        if way is not None and _fits(problem, axes, way):
            yield way


def _axes(problem: Problem, mesh_dim: int) -> Iterator[Axis]:
    """What a dim of the mesh may split: a dim of a name, or what it splits of each in a list."""
    tensors = problem.tensors
    for name in problem.names:
        if name in tensors.elements:
            axis = _as_it_is(problem, name, mesh_dim)
            if axis:
                yield axis
        for place in range(tensors.ranks.get(name, 1)):
            yield {name: place}


def _as_it_is(problem: Problem, name: str, mesh_dim: int) -> Axis:
    """How a dim of the mesh splits the tensors of lists that have `name[i]`."""
    axis: dict[str, int] = {}
    for argument, shapes in problem.tensors.shapes.items():
        for shape, spec in zip(shapes, problem.placed[argument]):
            placement = spec.placements[mesh_dim]
            if isinstance(placement, Shard):
                term, place = problem.tensors.at(shape, placement.dim)
                own = name_of(term)
                if own.partition("[")[0] == name:
                    axis.setdefault(own, place)
    return axis


def _way(problem: Problem, axes: Sequence[Axis]) -> Way | None:
    """The placements where each dim of the mesh splits its axis; None where they cannot be."""
    updated = problem.facts.call.updated
    inputs = _placements(problem, problem.tensors.shapes, axes, updated)
    results = _placements(problem, problem.made, axes, problem.made)
    return None if inputs is None or results is None else Way(inputs, results)


def _placements(
    problem: Problem,
    shapes: Mapping[str, list[Sequence[str]]],
    axes: Sequence[Axis],
    written: Any,
) -> Placed | None:
    """The placements of tensors; None where one `written` cannot be put together again."""
    found: Placed = {}
    for name, own in shapes.items():
        kinds = problem.kinds.get(name, {}) if name in written else None
        found[name] = []
        for shape in own:
            placements = tuple(_placement(problem, shape, axis, kinds) for axis in axes)
            parts = {p.reduce_op for p in placements if isinstance(p, Partial)}
            if None in placements or len(parts) > 1:
                return None
            found[name].append(placements)
    return found


def _placement(
    problem: Problem, shape: Sequence[str], axis: Axis, kinds: Mapping[str, str] | None
) -> Any:
    """What a dim of the mesh does to a tensor; to one that is written as `kinds` say."""
    dim = problem.tensors.dim(shape, axis)
    if dim is not None:
        return Shard(dim)
    lacking = problem.tensors.lacks(shape, axis)
    how = {kinds.get(name) for name in lacking} if kinds is not None else set()
    if how <= {"same"}:
        return Replicate()
    kind, *others = how
    if others or kind is None or kind == "local":
        return None
    return Partial("avg" if kind.startswith("mean") else kind)


def _fits(problem: Problem, axes: Sequence[Axis], way: Way) -> bool:
    """Whether the op takes the shards, and nothing moves that should not."""
    for name, own in problem.placed.items():
        updated = name in problem.facts.call.updated
        for spec, placements in zip(own, way.inputs[name]):
            if spec.placements != placements and (
                updated or _starves(spec, placements)
            ):
                return False
    counts: dict[tuple[str, int], int] = {}
    for size, axis in zip(problem.mesh.shape, axes):
        for each in axis.items():
            counts[each] = counts.get(each, 1) * size
    return all(_divides(problem, *each, count) for each, count in counts.items()) and (
        not counts or _taken(problem, way)
    )


def _starves(spec: DTensorSpec, placements: Sequence[Any]) -> bool:
    """Whether a tensor would be sent to shards of which some then have nothing.

    All are sent as much: for one row, eight processes would get eight.
    """
    for given, placement in zip(spec.placements, placements):
        if isinstance(placement, Shard) and given not in (placement, Replicate()):
            split = zip(spec.mesh.shape, placements)
            if spec.shape[placement.dim] < prod(n for n, p in split if p == placement):
                return True
    return False


def _divides(problem: Problem, name: str, place: int, count: int) -> bool:
    """Whether `count` shards are as equal as they have to be.

    They hold whole factors where `name` leads a product: `hk` in `hk*g`. A mean that is not
    weighted is of shards of one size, and there is no largest element of none.
    """
    sizes: dict[str, int] = {}
    for argument, shapes in problem.tensors.shapes.items():
        for terms, shape in zip(shapes, problem.sizes[argument]):
            dim = problem.tensors.dim(terms, {name: place})
            if dim is not None:
                sizes[problem.tensors.at(terms, dim)[0]] = shape[dim]
    how = {kinds.get(name.partition("[")[0]) for kinds in problem.kinds.values()}
    if "mean" in how and any(size % count for size in sizes.values()):
        return False
    if how & {"max", "min"} and any(size < count for size in sizes.values()):
        return False
    if not any("*" in term[1:] for term in sizes):
        return True
    for term, size in sizes.items():
        factors = [problem.specs.get(factor) for factor in term.split("*")[1:]]
        if all(isinstance(factor, int) for factor in factors):
            return size % (count * prod(factors)) == 0
    return False


def _taken(problem: Problem, way: Way) -> bool:
    """Whether the op takes what each process then has."""
    seen: list[object] = []
    for place in product(*map(range, problem.mesh.shape)):
        shards = {
            name: [
                _shard(shape, placements, problem.mesh.shape, place)
                for shape, placements in zip(shapes, way.inputs[name])
            ]
            for name, shapes in problem.sizes.items()
        }
        if shards in seen:
            continue
        seen.append(shards)
        try:
            problem.facts.call.results(_with_shapes(problem.specs, shards))
        except ValueError:
            return False
        if _even(problem, way):
            break
    return True


def _even(problem: Problem, way: Way) -> bool:
    """Whether all processes have as much."""
    for name, shapes in problem.sizes.items():
        for shape, placements in zip(shapes, way.inputs[name]):
            left = [*shape]
            for count, placement in zip(problem.mesh.shape, placements):
                if isinstance(placement, Shard):
                    if left[placement.dim] % count:
                        return False
                    left[placement.dim] //= count
    return True


def _shard(
    shape: Sequence[int], placements: Sequence[Any], mesh: Sequence[int], place: Sequence[int]
) -> tuple[int, ...]:  # fmt: skip
    """The shape of what the process at `place` of the mesh has."""
    sizes = [*shape]
    for count, at, placement in zip(mesh, place, placements):
        if isinstance(placement, Shard):
            size = sizes[placement.dim]
            part = -(-size // count)
            sizes[placement.dim] = max(0, min(part, size - part * at))
    return tuple(sizes)


def _with_shapes(
    specs: Mapping[str, Any], shapes: Mapping[str, list[tuple[int, ...]]]
) -> dict[str, Any]:
    """The arguments with other shapes."""
    found = dict(specs)
    for name, own in shapes.items():
        spec = specs[name]
        if isinstance(spec, list):
            found[name] = [each._replace(shape=s) for each, s in zip(spec, own)]
        elif spec is not None:
            found[name] = spec._replace(shape=own[0])
    return found


def _spec(value: Any) -> Any:
    """An argument as `core` knows it."""
    if isinstance(value, DTensorSpec):
        return TensorSpec(tuple(value.shape), NAMES[value.tensor_meta.dtype])
    if isinstance(value, (list, tuple)):
        return [_spec(each) for each in value]
    return attr_of(value)


def _placed(value: Any) -> list[DTensorSpec]:
    """The tensors of an argument."""
    values = value if isinstance(value, (list, tuple)) else [value]
    return [each for each in values if isinstance(each, DTensorSpec)]


def _chosen(forms: Mapping[str, Form], specs: Mapping[str, Any]) -> dict[str, Form]:
    """What holds for a call."""
    return {n: f(**specs) if callable(f) else f for n, f in forms.items()}
