"""Run elementwise ops on DTensors, with the placement of one updated input for all tensors of its
shape.

The module `sharding` imports this module when DTensor itself is imported.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.distributed.tensor import DTensor

from .call import CALLS
from .library import library


def register(op: torch._ops.OpOverload, lead: str, followers: Sequence[str]) -> None:
    """Let DTensor run the elementwise `op`, on each process's shard of the updated input `lead`.

    `followers` have the shape of `lead`. A follower that the op updates must already have the
    placement of `lead`. A follower that the op only reads is redistributed to this placement. If
    `lead` is a list, each tensor of the list determines the placement of the tensors at its index.
    All other inputs are replicated.
    """
    call = CALLS[op._schema.name.partition("::")[2]]

    def run(_cls: type, _op: Any, _types: Any, args: Any, kwargs: Any = None) -> None:
        given = call.bind(args, kwargs or {})
        leads = _items(lead, given[lead])
        sizes = [first.shape for _, first in leads]
        held = dict(given)
        with torch.no_grad():
            for name in call.inputs:
                items, written = _items(name, given[name]), name in call.updated
                if name == lead or name in followers:
                    if items and [tensor.shape for _, tensor in items] != sizes:
                        call.results(given)  # raises; shards might fit
                    local = [_as(call.name, *of, *pair, written) for of, pair in zip(leads, items)]
                else:
                    local = [_whole(call.name, *pair, written) for pair in items]
                if isinstance(given[name], Tensor):
                    (held[name],) = local
                elif local:
                    held[name] = local
        op(*held.values())

    torch.library.register_torch_dispatch(op._name, DTensor, run, lib=library)


def _items(name: str, value: Any) -> list[tuple[str, Tensor]]:
    """Return the tensors of an argument, each with its name in messages."""
    if isinstance(value, (list, tuple)):
        return [(f"{name}[{i}]", each) for i, each in enumerate(value)]
    return [] if value is None else [(name, value)]


def _as(op: str, lead: str, first: Tensor, name: str, tensor: Any, written: bool) -> Any:
    """Return the process's shard of `tensor`, redistributed to the placement of `first`.

    Raises ValueError if a tensor that the op writes has another placement.
    """
    expected, got = _place(first), _place(tensor)
    if expected and any(p.is_partial() for p in expected[1]):
        raise ValueError(f"{op}: {lead}: expected whole elements, got {_text(expected)}")
    if expected == got:
        return tensor.to_local() if got else tensor
    if expected and got and expected[0] == got[0] and not written:
        return tensor.redistribute(placements=expected[1]).to_local()
    raise ValueError(
        f"{op}: {name}: expected the placement of {lead}, {_text(expected)}, got {_text(got)}"
    )


def _whole(op: str, name: str, tensor: Any, written: bool) -> Any:
    """Return `tensor` with all of its elements, gathered if necessary. If the op writes the tensor,
    it must already be replicated.
    """
    placed = _place(tensor)
    if not placed:
        return tensor
    if all(p.is_replicate() for p in placed[1]):
        return tensor.to_local()
    if written:
        raise ValueError(f"{op}: {name}: expected a replicated tensor, got {_text(placed)}")
    return tensor.full_tensor()


def _place(tensor: Tensor) -> tuple[Any, Any] | None:
    """Return the mesh and the placements of a DTensor; None for other tensors."""
    return (tensor.device_mesh, tensor.placements) if isinstance(tensor, DTensor) else None


def _text(place: tuple[Any, Any] | None) -> str:
    return f"{place[1]} on {place[0]}" if place else "a plain tensor"
