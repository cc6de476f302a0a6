"""Run an op on DTensors, by calls on the shards of each process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Any

import torch
from torch import Tensor
from torch.distributed._functional_collectives import _are_we_tracing
from torch.distributed.tensor import DTensor
from torch.distributed.tensor._dispatch import pytree  # type: ignore[attr-defined]
from torch.distributed.tensor._dtensor_spec import DTensorSpec
from torch.distributed.tensor._op_schema import OpSchema
from torch.distributed.tensor._redistribute import redistribute_local_tensor

from .call import bare
from .dtypes import DTYPES
from .library import find_op
from .problem import Problem, call_of
from .shards import Place, attrs_of, extents, is_idle, parts_of
from .splitting import steps_of
from .stages import Made, Step

# The contribution of an empty shard to a result with this reduction.
NEUTRAL = {"sum": 0, "avg": 0, "max": -torch.inf, "min": torch.inf}
LIMIT = 4096  # the number of cached decisions


# For calls that need no redistribution first: what this process computes, and DTensor's specs of
# the results.
_SETTLED: dict[Any, tuple[Sequence[_Share], Any]] = {}


def run(op: torch._ops.OpOverload, args: Any, kwargs: Any) -> Any:
    """Run `op` with the split that DTensor has chosen, and return the results."""
    key = None if kwargs else _key(op, args)
    if key not in _SETTLED:
        return _decided(op, args, kwargs, key)
    shares, spec = _SETTLED[key]
    local = [a._local_tensor if isinstance(a, DTensor) else a for a in args]
    return DTensor._op_dispatcher.wrap(_results(op, shares, local), spec)


def _key(op: torch._ops.OpOverload, args: Sequence[Any]) -> Any:
    """Return the key under which a decision is cached; None if it must not be cached."""
    found: list[Any] = [op]
    for each in args:
        if isinstance(each, DTensor):
            found.append(each._spec)
        elif isinstance(each, Tensor):
            return None
        else:
            found.append(tuple(each) if isinstance(each, list) else each)
    try:
        hash(tuple(found))
    except TypeError:  # symbolic sizes
        return None
    return tuple(found)


def _decided(op: torch._ops.OpOverload, args: Any, kwargs: Any, key: Any) -> Any:
    dispatcher = DTensor._op_dispatcher
    info: Any = dispatcher.unwrap_to_op_info(op, args, kwargs)
    dispatcher.sharding_propagator.propagate(info)
    decided, placed = info.output_sharding, info.schema.args_spec
    if info.compute_mesh.get_coordinate() is None:  # this process is not in the mesh
        parts = dispatcher._dispatch_get_local_results_slow_path(op, args, info)
        return dispatcher.wrap(parts, decided.output_spec)
    if decided.needs_redistribute:
        dispatcher.redistribute_local_args(info, decided.redistribute_schema, False)
        placed = decided.redistribute_schema.args_spec
    shares = (_shares if _are_we_tracing() else _known)(info.schema, placed)
    if key is not None and not decided.needs_redistribute:
        if len(_SETTLED) == LIMIT:
            _SETTLED.clear()
        _SETTLED[key] = shares, decided.output_spec
    local = pytree.tree_unflatten(info.local_args, info.args_tree_spec)
    call = call_of(op).bind(local, info.local_kwargs)
    return dispatcher.wrap(_results(op, shares, call.values()), decided.output_spec)


def _results(op: torch._ops.OpOverload, shares: Sequence[_Share], args: Any) -> Any:
    """Return the results of a call on this process's part of its arguments."""
    if shares[0].op is op and shares[0].is_whole:
        return op(*args)
    call = call_of(op)
    values = call.bind([*args])
    for share in shares:
        values |= share.computed(values)
    return bare([values.get(each.name) for each in call.facts.results])


@dataclass(frozen=True)
class _Share:
    """The part of a step that one process computes.

    `attrs` are the attrs for this process's shard, and `begins` has the start indices of the shard.
    For each mean, `scales` has the fraction of the elements that are in the shard.
    """

    step: Step
    op: torch._ops.OpOverload
    attrs: Mapping[str, Any]
    begins: Mapping[str, int]
    scales: Mapping[str, float]
    specs: Mapping[str, tuple[DTensorSpec, DTensorSpec]]
    shapes: Mapping[str, list[int]] | None  # for the results of an empty shard
    is_whole: bool  # the call runs unchanged, and its results stay unchanged

    def computed(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Run this process's part of a step, and return its results.

        The inputs are arguments of the whole call and results of earlier steps.
        """
        device = next(v.device for v in values.values() if isinstance(v, Tensor))
        if self.shapes is not None:
            parts = {n: self._nothing(n, self.shapes[n], device) for n in self.step.made}
        else:
            parts = self._called(values, device)
        found: dict[str, Any] = {}
        for name, made in sorted(self.step.made.items(), key=lambda item: bool(item[1].weight)):
            # The weights are reduced first.
            summand = self._summand(name, made, parts, found)
            found[name] = redistribute_local_tensor(summand, *self.specs[name])
            if made.weight and made.weight.kind == "mean":
                found[name] = found[name] / found[made.weight.result].to(summand.dtype)
        return found

    def _called(self, values: Mapping[str, Any], device: torch.device) -> dict[str, Tensor]:
        call = self.step.problem.call
        given: dict[str, Any] = {
            n: values.get(n) if self.step.problem.given[n] is not None else None
            for n in call.inputs
        }
        given.update(self.attrs)
        for name, first in self.begins.items():
            zero = given[name]
            given[name] = torch.full((), first, device=device) if zero is None else zero + first
        results = self.op(*(given[name] for name in call.defaults))
        several = len(call.written) > 1
        return dict(zip(call.written, results if several else [results]))

    def _nothing(self, name: str, shape: list[int], device: torch.device) -> Tensor:
        kinds = (p.reduce_op for p in self.step.made[name].parts if p.is_partial())
        value = NEUTRAL[next(kinds, "sum")]
        dtype = DTYPES[self.step.problem.computed[name].dtype]
        return torch.full(shape, value, dtype=dtype, device=device)

    def _summand(
        self, name: str, made: Made, parts: Mapping[str, Tensor], found: Mapping[str, Tensor]
    ) -> Tensor:
        """Return the term that a shard adds to a result over all shards. `found` has the reduced
        weights.

        If the shard has no elements, its own mean is NaN and the term is 0.
        """
        part = parts[name]
        if made.means:
            part = part * self.scales[name]
        if made.weight is None:
            return part
        weight = parts[made.weight.result].to(part.dtype)
        if made.weight.kind == "sum_exp":
            return part * torch.exp(weight - found[made.weight.result].to(part.dtype))
        return torch.where(weight == 0, 0, part * weight)


def _shares(schema: OpSchema, placed: Sequence[DTensorSpec]) -> list[_Share]:
    """Return this process's part of each step, for the placements that DTensor has chosen."""
    call, mesh = call_of(schema.op), schema.get_mesh_from_args()
    problem = Problem.of(call, call.bind(schema.args_schema), mesh)
    left, place = (spec.placements for spec in placed), mesh.get_coordinate() or ()
    inputs = {n: [next(left) for _ in own] for n, own in problem.placed.items()}
    return [_share(step, place) for step in steps_of(problem, inputs)]


_known = lru_cache(maxsize=LIMIT)(_shares)


def _share(step: Step, place: Place) -> _Share:
    problem, found = step.problem, extents(step, place)
    call, shape = problem.call, problem.mesh.shape
    described, computed = problem.described, problem.computed
    firsts = {name: part.first for ((name, _), _), part in found.items()}
    begins = {each.name: each.begin for each in call.facts.inputs if each.begin}
    scales = {
        name: prod(
            part.size / part.whole
            for ((n, _), _), part in found.items()
            if n in made.means and part.whole
        )
        for name, made in step.made.items()
    }
    specs = {
        name: (described(computed[name], made.parts), described(computed[name], made.left))
        for name, made in step.made.items()
    }
    shapes = {
        name: [
            part.size for part in parts_of(problem.computed[name].shape, made.parts, shape, place)
        ]
        for name, made in step.made.items()
    }
    attrs = attrs_of(step, found, problem.given)
    idle = is_idle(step, found)
    return _Share(
        step,
        find_op(call.name),
        attrs,
        {name: firsts.get(dim, 0) for name, dim in begins.items()},
        scales,
        specs,
        shapes if idle else None,
        not idle
        and not begins
        and all(problem.given[name] == value for name, value in attrs.items())
        and all(each.is_plain for each in step.made.values()),
    )
