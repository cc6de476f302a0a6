"""A call on DTensors, described with the dim names of its spec.

The module `sharding` imports this module when DTensor itself is imported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.tensor import Partial, Replicate, Shard
from torch.distributed.tensor._dtensor_spec import DTensorSpec, TensorMeta

from ..core.dims import Ranks, extent, fitting, group_ranks, own, size_in
from ..core.facts import Key, OpFacts, Reduction, Shape, Term, value_in
from ..core.runtime import TensorSpec
from .call import CALLS, Call, attr_of
from .dtypes import DTYPES, NAMES

# The dims and groups that one dim of a mesh splits. The value of a group is the index of the split
# dim in the group.
Axis = Mapping[Key, int]
# A tensor's placement over each dim of a mesh.
Placements = tuple[Any, ...]
# The placements of each tensor of an argument.
Placed = dict[str, list[Placements]]
# The placements of each tensor of an argument, over one dim of a mesh.
Column = dict[str, list[Any]]
# Sums of parts that remain correct if a linear function is applied to each part.
SUMS = Partial("sum"), Partial("avg")


def call_of(op: torch._ops.OpOverload) -> Call:
    return CALLS[op._schema.name.partition("::")[2]]


@dataclass(frozen=True, eq=False)
class Problem:
    """A call on DTensors, with the shape and placement of each tensor."""

    call: Call
    mesh: DeviceMesh
    # All arguments, with DTensor's spec for each tensor.
    given: Mapping[str, Any]
    # All arguments, with a `TensorSpec` for each tensor.
    specs: Mapping[str, Any]
    # The DTensor specs of each input's tensors.
    placed: Mapping[str, list[DTensorSpec]]
    # The `TensorSpec` of each result, or None for an absent result.
    computed: Mapping[str, Any]
    # The shapes of the present results, and of each tensor of each input, as terms of the spec.
    made: Mapping[str, Shape]
    shapes: Mapping[str, list[Shape]]
    ranks: Ranks

    @staticmethod
    def of(call: Call, given: Mapping[str, Any], mesh: DeviceMesh) -> Problem:
        """Return the `Problem` of a call. `given` has the arguments, with a DTensor spec in place
        of each tensor.
        """
        facts = call.facts
        specs = {name: _spec(value) for name, value in given.items()}
        # An empty list counts as absent.
        specs |= {name: specs[name] or None for name in call.inputs}
        computed = dict(zip((each.name for each in facts.results), call.results(specs)))
        placed = {name: _placed(given[name]) for name in call.inputs}
        attrs = {n: len(v) for n, v in specs.items() if n not in placed and isinstance(v, list)}
        forms = [
            own(value_in(each.forms, specs), number)
            for each in facts.inputs
            for number, _ in enumerate(placed[each.name])
        ]
        ranks = [len(each.shape) for tensors in placed.values() for each in tensors]
        found = fitting(forms, ranks, attrs)
        rest = iter(found)
        shapes = {name: [next(rest) for _ in tensors] for name, tensors in placed.items()}
        made = {
            each.name: value_in(each.forms, specs)[0]
            for each in facts.results
            if computed[each.name] is not None
        }
        groups = group_ranks(found, ranks, attrs)
        return Problem(call, mesh, given, specs, placed, computed, made, shapes, groups)

    @property
    def facts(self) -> OpFacts:
        return self.call.facts

    @cached_property
    def names(self) -> Sequence[str]:
        """Return the names of the dims that the spec allows to be split."""
        return value_in(self.facts.split, self.specs)

    @cached_property
    def kinds(self) -> Mapping[str, Mapping[str, Reduction]]:
        """Return, for each tensor and each dim name, how the shards of the tensor are combined."""
        return {
            each.name: {name: value_in(how, self.specs) for name, how in each.reduce.items()}
            for each in self.facts.tensors
        }

    @cached_property
    def sizes(self) -> Mapping[str, list[tuple[int, ...]]]:
        """Return the shape of each tensor of each input."""
        return {name: [tuple(s.shape) for s in own] for name, own in self.placed.items()}

    @property
    def whole(self) -> Placements:
        """Return the placements of a tensor that no dim of the mesh splits."""
        return (Replicate(),) * self.mesh.ndim

    def described(self, spec: TensorSpec, placements: Placements = ()) -> DTensorSpec:
        """Return the DTensor spec of a tensor. Without `placements`, the tensor is replicated."""
        strides = torch.empty(spec.shape, device="meta").stride()
        meta = TensorMeta(torch.Size(spec.shape), strides, DTYPES[spec.dtype])
        return DTensorSpec(self.mesh, placements or self.whole, tensor_meta=meta)

    def size(self, name: str) -> Any:
        """Return the size of dim `name` of an input; for a group, the list of its sizes."""
        tensors = [pair for n, own in self.shapes.items() for pair in zip(own, self.sizes[n])]
        found = size_in(name, [s for s, _ in tensors], [sizes for _, sizes in tensors])
        if found is None:
            raise KeyError(name)
        return [*found] if isinstance(found, tuple) else found

    def dim(self, shape: Shape, axis: Axis) -> int | None:
        """Return the index of the dim that `axis` splits in a tensor of this shape; None if there
        is none.
        """
        for place, term in enumerate(shape):
            if term.key in axis:
                return extent(shape[:place], self.ranks) + axis[term.key]
        return None

    def lacks(self, shape: Shape, axis: Axis) -> set[str]:
        """Return the names in `axis` that do not occur in the shape."""
        return {name for name, _ in axis} - {term.key[0] for term in shape}

    def at(self, shape: Shape, dim: int) -> tuple[Term, int]:
        """Return the term to which dim `dim` belongs, and the index of the dim in the group."""
        for place, term in enumerate(shape):
            start = extent(shape[:place], self.ranks)
            if dim < start + extent((term,), self.ranks):
                return term, dim - start
        raise IndexError(dim)

    @property
    def staged(self) -> dict[str, Sequence[str]]:
        """Return the dims of inputs that can be split if stages compute the call, each with its
        stages.
        """
        terms = (term for shapes in self.shapes.values() for shape in shapes for term in shape)
        there = {term.key for term in terms if term.alone}
        return {n: ops for n, ops in self.facts.stages.items() if (n, None) in there}

    def axes(self, placed: Placed) -> Sequence[Axis]:
        """Return the names that each dim of the mesh splits if the inputs have these placements.

        If inputs split different dims of a group, the first of these dims counts.
        """
        return [dict(reversed(each)) for each in self.splits(placed)]

    def splits(self, placed: Placed) -> Sequence[list[tuple[Key, int]]]:
        """Return the dims that each dim of the mesh splits if the inputs have these placements."""
        found: list[list[tuple[Key, int]]] = [[] for _ in range(self.mesh.ndim)]
        for argument, shapes in self.shapes.items():
            for shape, placements in zip(shapes, placed[argument]):
                for dims, placement in zip(found, placements):
                    if isinstance(placement, Shard):
                        term, place = self.at(shape, placement.dim)
                        dims.append((term.key, place))
        return found

    def summed(self, column: Column) -> Any:
        """Return the placement of results over a dim of the mesh that splits no result.

        If inputs are partial sums, the results must be linear in these inputs. Otherwise, return
        None.
        """
        read = {n: own for n, own in column.items() if n not in self.call.updated}
        if not any(p.is_partial() for own in read.values() for p in own):
            return Replicate()
        for group in self.facts.linear:
            parts = {p for name in group for p in column[name]}
            others = (p for name, own in column.items() if name not in group for p in own)
            if len(parts) == 1 and parts <= {*SUMS} and all(p.is_replicate() for p in others):
                return parts.pop()
        return None


def _spec(value: Any) -> Any:
    """Return the value of an argument for `core`: `TensorSpec`s in place of DTensor specs."""
    if isinstance(value, DTensorSpec):
        assert value.tensor_meta is not None
        return TensorSpec(tuple(value.shape), NAMES[value.tensor_meta.dtype])
    if isinstance(value, (list, tuple)):
        return [_spec(each) for each in value]
    return attr_of(value)


def _placed(value: Any) -> list[DTensorSpec]:
    """Return the DTensor specs of an argument's tensors."""
    values = value if isinstance(value, (list, tuple)) else [value]
    return [each for each in values if isinstance(each, DTensorSpec)]
