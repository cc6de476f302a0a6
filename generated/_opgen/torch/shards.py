"""Shards: the part of each tensor that a process holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from torch.distributed.tensor import Shard

from ..core.facts import Key, Reduction
from .call import Call
from .stages import Step

# Reductions that DTensor supports, and kinds that need no reduction.
KNOWN = {Reduction("sum"), Reduction("same"), Reduction("local")}

# The place of a process in a mesh.
Place = Sequence[int]


class Extent(NamedTuple):
    """The part of a dim that a process holds: the part's start and size, and the size of the
    complete dim.
    """

    first: int
    size: int
    whole: int


# The part of each split dim. The key is a name, and the index of the dim in a group of this name.
Extents = Mapping[tuple[Key, int], Extent]


def parts_of(
    shape: Sequence[int], placements: Sequence[Any], mesh: Sequence[int], place: Place
) -> list[Extent]:
    """Return the part of each dim that a process holds. `place` is the process's position in the
    mesh.
    """
    found = [Extent(0, size, size) for size in shape]
    for count, at, placement in zip(mesh, place, placements):
        if isinstance(placement, Shard):
            first, size, whole = found[placement.dim]
            part = -(-size // count)
            before = min(size, part * at)
            own = Extent(first + before, min(part, size - before), whole)
            found[placement.dim] = own
    return found


def extents(step: Step, place: Place) -> Extents:
    """Return, for each dim that a step splits, the part that a process holds."""
    problem = step.problem
    found: dict[tuple[Key, int], Extent] = {}
    for argument, shapes in problem.shapes.items():
        held = zip(shapes, problem.sizes[argument], step.inputs[argument])
        for shape, sizes, placements in held:
            own = parts_of(sizes, placements, problem.mesh.shape, place)
            for axis in step.axes:
                for key, at in axis.items():
                    dim = problem.dim(shape, {key: at})
                    if dim is not None:
                        found.setdefault((key, at), own[dim])
    return found


def runs_shards(call: Call) -> bool:
    """Return whether opgen must run the call on shards itself.

    DTensor's own execution, one call of the op on each shard, is not enough for such calls.
    """
    facts = call.facts
    kinds = {how for each in facts.tensors for how in each.reduce.values()}
    sizes = {*call.defaults} - {*call.inputs}
    split = facts.split
    names = sizes if callable(split) else sizes & {*split}
    begins = any(each.begin for each in facts.inputs)
    return bool(facts.stages or begins or names or kinds - KNOWN)


def is_idle(step: Step, found: Extents) -> bool:
    """Return whether a process can skip a step, because its part of a split dim is empty.

    The process cannot skip the step if other processes need one of the step's results.
    """
    problem = step.problem
    empty = {key for key, part in found.items() if part.whole and not part.size}

    def missed(name: str) -> bool:
        shape, kinds = problem.made[name], problem.kinds[name]
        return not any(
            problem.dim(shape, {key: at}) is not None
            or kinds.get(key[0], Reduction("same")).kind != "same"
            for key, at in empty
        )

    return bool(empty) and not any(map(missed, step.made))


def attrs_of(step: Step, found: Extents, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attrs of a call on a shard. An attr that is the size of a split dim gets the
    shard's size.
    """
    attrs = {n: v for n, v in given.items() if n not in step.problem.call.inputs}
    for ((name, _), at), part in found.items():
        if isinstance(attrs.get(name), (list, tuple)):
            attrs[name] = [*attrs[name][:at], part.size, *attrs[name][at + 1 :]]
        elif name in attrs:
            attrs[name] = part.size
    return attrs


def are_taken(step: Step, skips: bool) -> bool:
    """Return whether, for every process, the op accepts the shards that the process holds.

    If `skips` is true, processes skip a step for which they hold an empty shard.
    """
    problem, mesh = step.problem, step.problem.mesh.shape
    first, *others = product(*map(range, mesh))
    shapes = _shapes(step, first)
    # The first shard is the largest, and the last shard is the smallest.
    if others and shapes == _shapes(step, others[-1]):
        others = []
    seen: list[object] = []
    for place in (first, *others):
        shapes, found = _shapes(step, place), extents(step, place)
        if shapes in seen or (skips and is_idle(step, found)):
            continue
        seen.append(shapes)
        specs = _with_shapes(problem.specs, shapes)
        try:
            problem.call.results(specs | attrs_of(step, found, specs))
        except ValueError:
            return False
    return True


def _shapes(step: Step, place: Place) -> dict[str, list[tuple[int, ...]]]:
    """Return, for each input, the shapes of its shards on the process at position `place` in the
    mesh.
    """
    mesh = step.problem.mesh.shape
    return {
        name: [
            tuple(part.size for part in parts_of(shape, placements, mesh, place))
            for shape, placements in zip(shapes, step.inputs[name])
        ]
        for name, shapes in step.problem.sizes.items()
    }


def _with_shapes(
    specs: Mapping[str, Any], shapes: Mapping[str, list[tuple[int, ...]]]
) -> dict[str, Any]:
    """Return `specs`, the arguments, with the shapes of the tensors replaced by `shapes`."""
    found = dict(specs)
    for name, own in shapes.items():
        spec = specs[name]
        if isinstance(spec, list):
            found[name] = [each._replace(shape=s) for each, s in zip(spec, own)]
        elif spec is not None:
            found[name] = spec._replace(shape=own[0])
    return found
