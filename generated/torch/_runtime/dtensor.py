"""How the ops run on the shards of DTensors. Rendered by opgen.

Imported with DTensor itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import Any

import torch
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard
from torch.distributed.tensor._dtensor_spec import DTensorSpec
from torch.distributed.tensor._op_schema import RuntimeSchemaInfo
from torch.distributed.tensor.experimental import register_sharding

from ...core import TensorSpec
from .call import CALLS, attr_of
from .dims import Tensors, fit
from .dtypes import NAMES

# A shape, several of which one goes by rank, a list's; how something is reduced; or a
# function of the arguments that gives one.
Form = Any
# A way to split an op: names, and for a group the place of the dim in it.
Axis = Mapping[str, int]


def register(
    op: torch._ops.OpOverload,
    *,
    split: Sequence[str] | Callable[..., Sequence[str]],
    inputs: Mapping[str, Form],
    results: Mapping[str, Form],
    reduce: Mapping[str, Mapping[str, Form]] = {},
) -> None:
    """Tell DTensor which dims of `op` may be split.

    `inputs` and `results` give the shape of every tensor by the names of its dims,
    `reduce` how what is written is reduced over a split dim that it lacks.
    """
    call = CALLS[op._schema.name.partition("::")[2]]

    def strategies(*args: Any) -> list[tuple[list[Any], list[Any]]]:
        """The placements of results and arguments for each way to split the op."""
        given = call.bind(args)
        specs = {name: _spec(value) for name, value in given.items()}
        specs |= {
            name: specs[name] or None for name in inputs
        }  # an empty list is absent
        computed = dict(zip(results, call.results(specs)))
        placed = {name: _specs(given[name]) for name in inputs}
        ranks = {name: [len(s.shape) for s in own] for name, own in placed.items()}
        attrs = {n: len(v) for n, v in specs.items() if n not in inputs and isinstance(v, list)}  # fmt: skip
        tensors = fit(_chosen(inputs, specs), ranks, attrs)
        forms = _chosen(results, specs)
        made = tensors.of({n: f for n, f in forms.items() if computed[n] is not None})
        names = split(**specs) if callable(split) else split
        kinds = {name: _chosen(how, specs) for name, how in reduce.items()}
        names = [name for name in names if _divides(name, tensors, placed, specs)]
        found: list[tuple[list[Any], list[Any]]] = []
        for axis in ({}, *_axes(names, tensors, placed)):
            outputs = _place(made, axis, tensors, kinds)
            arguments = _place(tensors.shapes, axis, tensors, kinds, call.updated)
            if outputs is None or arguments is None:
                continue
            row = [outputs.get(name, [None])[0] for name in results]
            by_name = (arguments[n] or [None] for n in inputs)
            rest = [None] * (len(args) - len(inputs))
            if all(_stays(placed[n], arguments[n]) for n in call.updated):
                found.append((row, [*(p for each in by_name for p in each), *rest]))
        if not found:
            names = ", ".join(call.updated)
            raise NotImplementedError(
                f"{call.name}: {names}: cannot be updated as they are split"
            )
        return found

    register_sharding(op)(strategies)
    # Of the attrs only ints would be part of the key under which a decision is kept: a
    # call with another attr would be given the shape of an earlier one.
    propagator = DTensor._op_dispatcher.sharding_propagator
    info = RuntimeSchemaInfo(static_argnum=len(inputs), needs_pytree=True)
    propagator.op_to_schema_info[op] = info


def _spec(value: Any) -> Any:
    """An argument as `core` knows it."""
    if isinstance(value, DTensorSpec):
        return TensorSpec(tuple(value.shape), NAMES[value.tensor_meta.dtype])
    if isinstance(value, (list, tuple)):
        return [_spec(each) for each in value]
    return attr_of(value)


def _specs(value: Any) -> list[DTensorSpec]:
    """The tensors of an argument."""
    values = value if isinstance(value, (list, tuple)) else [value]
    return [each for each in values if isinstance(each, DTensorSpec)]


def _chosen(forms: Mapping[str, Form], specs: Mapping[str, Any]) -> dict[str, Form]:
    """The shapes that hold for a call."""
    return {n: f(**specs) if callable(f) else f for n, f in forms.items()}


def _divides(
    name: str,
    tensors: Tensors,
    placed: Mapping[str, list[DTensorSpec]],
    specs: Mapping[str, Any],
) -> bool:
    """Whether every shard holds whole factors where `name` leads a product: `hk` in `hk*g`."""
    sizes: dict[str, tuple[int, int]] = {}
    for argument, shapes in tensors.shapes.items():
        for shape, spec in zip(shapes, placed[argument]):
            dim = tensors.dim(shape, {name: 0})
            for term in shape if dim is not None else ():
                if term == name or term.startswith(f"{name}*"):
                    sizes[term] = spec.shape[dim], spec.mesh.size()
    if sizes.keys() <= {name}:
        return True
    for term, (size, shards) in sizes.items():
        factors = [specs.get(factor) for factor in term.split("*")[1:]]
        if all(isinstance(factor, int) for factor in factors):
            return size % (shards * prod(factors)) == 0
    return False


def _axes(
    split: Sequence[str], tensors: Tensors, placed: Mapping[str, list[DTensorSpec]]
) -> Iterator[Axis]:
    """The ways to split: along a dim of that name, or each element of a list as it is."""
    for name in split:
        if name in tensors.elements:
            yield from _as_it_is(name, tensors, placed)
        for place in range(tensors.ranks.get(name, 1)):
            yield {name: place}


def _as_it_is(
    name: str, tensors: Tensors, placed: Mapping[str, list[DTensorSpec]]
) -> Iterator[Axis]:
    """For each dim of the mesh, how it splits the tensors of lists that have `name[i]`."""
    meshes = [len(s.placements) for specs in placed.values() for s in specs]
    for mesh_dim in range(max(meshes, default=0)):
        axis: dict[str, int] = {}
        for argument, shapes in tensors.shapes.items():
            for shape, spec in zip(shapes, placed[argument]):
                placement = spec.placements[mesh_dim]
                if isinstance(placement, Shard):
                    own, place = tensors.at(shape, placement.dim)
                    if own.partition("[")[0] == name:
                        axis.setdefault(own, place)
        if axis:
            yield axis


def _place(
    shapes: Mapping[str, list[Sequence[str]]],
    axis: Axis,
    tensors: Tensors,
    reduce: Mapping[str, Mapping[str, str]],
    written: Sequence[str] | None = None,
) -> dict[str, list[Any]] | None:
    """The placements of all tensors when the op is split along `axis`.

    None where something written, by default all, cannot be put together again.
    """
    found: dict[str, list[Any]] = {}
    for name, own in shapes.items():
        found[name] = []
        for shape in own:
            dim = tensors.dim(shape, axis)
            how = {
                reduce.get(name, {}).get(each) for each in tensors.lacks(shape, axis)
            }
            if dim is not None:
                found[name].append(Shard(dim))
            elif how <= {"same"} or (written is not None and name not in written):
                found[name].append(Replicate())
            elif len(how) == 1 and how <= {"sum", "max", "min"}:
                found[name].append(Partial(*how))
            else:
                return None
    return found


def _stays(given: Sequence[DTensorSpec], placements: Sequence[Any]) -> bool:
    """Whether tensors are placed so already, on all dims of their mesh.

    DTensor gathers what has fewer rows than there are shards.
    """
    for spec, wanted in zip(given, placements):
        if any(here != wanted for here in spec.placements):
            return False
        if isinstance(wanted, Shard) and spec.shape[wanted.dim] < spec.mesh.size():
            return False
    return True
