"""A call on DTensors, and what its spec says of it. Rendered by opgen.

Imported with DTensor itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import torch
from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.tensor import Replicate, Shard
from torch.distributed.tensor._dtensor_spec import DTensorSpec, TensorMeta

from ..core.runtime import TensorSpec
from .call import Call, attr_of
from .dims import Tensors, fit, name_of
from .dtypes import DTYPES, NAMES

# A shape, several of which rank chooses one, a list's; how something is reduced; or a
# function of the arguments that gives one.
Form = Any
# What a dim of a mesh splits: names, and for a group the place of the dim in it.
Axis = Mapping[str, int]
# What each dim of a mesh does to a tensor.
Placements = tuple[Any, ...]
# The placements of each tensor of an argument.
Placed = dict[str, list[Placements]]


@dataclass(frozen=True)
class Facts:
    """What the spec says: see `dtensor.register`."""

    call: Call
    split: Sequence[str] | Callable[..., Sequence[str]]
    inputs: Mapping[str, Form]
    results: Mapping[str, Form]
    reduce: Mapping[str, Mapping[str, Form]] = field(default_factory=dict)
    stages: Mapping[str, Sequence[str]] = field(default_factory=dict)
    begins: Mapping[str, str] = field(default_factory=dict)
    asked_by: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def taken(self, wanted: Collection[str]) -> set[str]:
        """The inputs that are there where these results are wanted."""
        return {n for n in self.inputs if {*self.asked_by.get(n, wanted)} & {*wanted}}


# Of every op, by name.
FACTS: dict[str, Facts] = {}


def facts_of(op: torch._ops.OpOverload) -> Facts:
    return FACTS[op._schema.name.partition("::")[2]]


@dataclass(frozen=True, eq=False)
class Problem:
    """A call on DTensors."""

    facts: Facts
    mesh: DeviceMesh
    given: Mapping[str, Any]  # all arguments: of a tensor, DTensor's spec
    specs: Mapping[str, Any]  # the same, as `core` knows them
    placed: Mapping[str, list[DTensorSpec]]  # the tensors of each input
    computed: Mapping[str, Any]  # the results, as `core` knows them; None: absent
    made: Mapping[str, list[Sequence[str]]]  # the terms of the results that there are
    tensors: Tensors

    @staticmethod
    def of(facts: Facts, given: Mapping[str, Any], mesh: DeviceMesh) -> Problem:
        """A call with these arguments, each tensor as DTensor's spec of it."""
        call = facts.call
        specs = {name: _spec(value) for name, value in given.items()}
        # An empty list is absent.
        specs |= {name: specs[name] or None for name in facts.inputs}
        computed = dict(zip(facts.results, call.results(specs)))
        placed = {name: _placed(given[name]) for name in facts.inputs}
        ranks = {name: [len(s.shape) for s in own] for name, own in placed.items()}
        attrs = {n: len(v) for n, v in specs.items() if n not in placed and isinstance(v, list)}
        tensors = fit(_chosen(facts.inputs, specs), ranks, attrs)
        forms = _chosen(facts.results, specs)
        made = tensors.of({n: f for n, f in forms.items() if computed[n] is not None})
        return Problem(facts, mesh, given, specs, placed, computed, made, tensors)

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

    @cached_property
    def sizes(self) -> Mapping[str, list[tuple[int, ...]]]:
        """The shape of each tensor of each input."""
        return {name: [tuple(s.shape) for s in own] for name, own in self.placed.items()}

    @property
    def whole(self) -> Placements:
        """Nothing is split."""
        return (Replicate(),) * self.mesh.ndim

    def described(self, spec: TensorSpec, placements: Placements = ()) -> DTensorSpec:
        """A tensor as DTensor knows it; whole, if nothing is said."""
        strides = torch.empty(spec.shape, device="meta").stride()
        meta = TensorMeta(torch.Size(spec.shape), strides, DTYPES[spec.dtype])
        return DTensorSpec(self.mesh, placements or self.whole, tensor_meta=meta)

    def size(self, name: str) -> Any:
        """The size of a dim that an input has; of a group, those of all its dims."""
        for argument, shapes in self.tensors.shapes.items():
            for terms, shape in zip(shapes, self.sizes[argument]):
                first = self.tensors.dim(terms, {name: 0})
                if first is not None and name in terms:
                    return shape[first]
                if first is not None and f"*{name}" in terms:
                    return [*shape[first : first + self.tensors.ranks[name]]]
        raise KeyError(name)

    @property
    def staged(self) -> dict[str, Sequence[str]]:
        """The stages for each dim that an input has."""
        terms = {t for shapes in self.tensors.shapes.values() for own in shapes for t in own}
        return {n: ops for n, ops in self.facts.stages.items() if {n, f"*{n}"} & terms}

    def axes(self, placed: Placed) -> Sequence[Axis]:
        """What each dim of the mesh splits where the inputs are placed so."""
        found: list[dict[str, int]] = [{} for _ in range(self.mesh.ndim)]
        for argument, shapes in self.tensors.shapes.items():
            for terms, placements in zip(shapes, placed[argument]):
                for axis, placement in zip(found, placements):
                    if isinstance(placement, Shard):
                        term, place = self.tensors.at(terms, placement.dim)
                        axis.setdefault(name_of(term), place)
        return found


def _spec(value: Any) -> Any:
    """An argument as `core` knows it."""
    if isinstance(value, DTensorSpec):
        assert value.tensor_meta is not None
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
