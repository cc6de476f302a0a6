"""How the ops run on the shards of DTensors. Rendered by opgen.

Imported when a DTensor first meets an op.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard
from torch.distributed.tensor._op_schema import RuntimeSchemaInfo
from torch.distributed.tensor.experimental import register_sharding


def register(
    op: torch._ops.OpOverload,
    *,
    split: Sequence[str],
    inputs: Mapping[str, str],
    results: Mapping[str, str],
    reduce: Mapping[str, Mapping[str, str]] = {},
) -> None:
    """Tell DTensor which dims of `op` may be split.

    `inputs` and `results` give the shape of every tensor by the names of its dims,
    `reduce` how a result is reduced over a split dim that it lacks.
    """

    def strategies(*args: Any) -> list[tuple[list[Any], list[Any]]]:
        """The placements of results and arguments for each way to split the op."""
        ranks = {name: getattr(arg, "ndim", None) for name, arg in zip(inputs, args)}
        given = {name: inputs[name] for name, rank in ranks.items() if rank is not None}
        sizes = _group_ranks(given, ranks)
        found: list[tuple[list[Any], list[Any]]] = []
        for axis in (None, *_axes(split, sizes)):
            placed = {name: _place(given[name], axis, sizes) for name in given}
            arguments = [placed.get(name) for name in ranks]
            outputs = [
                _place(shape, axis, sizes, reduce.get(name, {}))
                for name, shape in results.items()
            ]
            if None not in outputs:
                attrs = [None] * (len(args) - len(arguments))
                found.append((outputs, arguments + attrs))
        return found

    register_sharding(op)(strategies)
    # Of the attrs only ints would be part of the key under which a decision is kept: a
    # call with another attr would be given the shape of an earlier one.
    propagator = DTensor._op_dispatcher.sharding_propagator
    info = RuntimeSchemaInfo(static_argnum=len(inputs), needs_pytree=True)
    propagator.op_to_schema_info[op] = info


def _group_ranks(shapes: Mapping[str, str], ranks: Mapping[str, int]) -> dict[str, int]:
    """How many dims each `*group` of the given tensors has."""
    sizes: dict[str, int] = {}
    for _ in shapes:
        for name, shape in shapes.items():
            terms = shape.split()
            unknown = [t for t in terms if t[0] == "*" and t[1:] not in sizes]
            if len(unknown) == 1:
                sizes[unknown[0][1:]] = ranks[name] - _extent(terms, sizes)
    return sizes


def _extent(terms: Sequence[str], sizes: Mapping[str, int]) -> int:
    """How many dims `terms` take; a group of unknown rank does not count."""
    return sum(sizes.get(term[1:], 0) if term[0] == "*" else 1 for term in terms)


def _axes(split: Sequence[str], sizes: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """What may be split: a name, and for a group the place of the dim in it."""
    for name in split:
        for place in range(sizes.get(name, 1)):
            yield name, place


def _place(
    shape: str,
    axis: tuple[str, int] | None,
    sizes: Mapping[str, int],
    reduce: Mapping[str, str] | None = None,
) -> Shard | Replicate | Partial | None:
    """The placement of a tensor when the op is split along `axis`.

    `reduce` is that of a result: None is returned for one that cannot be put together.
    """
    if axis is None:
        return Replicate()
    name, place = axis
    terms = shape.split()
    for position, term in enumerate(terms):
        if term in (name, f"*{name}") or term.startswith(f"{name}*"):
            return Shard(_extent(terms[:position], sizes) + place)
    if reduce is None or reduce.get(name) == "same":
        return Replicate()
    known = reduce.get(name) in ("sum", "max", "min")
    return Partial(reduce[name]) if known else None
