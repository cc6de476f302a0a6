"""The bytes that the collectives of a PyTorch program move, from their arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.distributed.tensor import DTensor
from torch.utils._python_dispatch import TorchDispatchMode

# By what part of its argument each process gets from others, for n of them: times (n - 1)/n.
WEIGHTS: dict[str, Callable[[int], int]] = {
    "all_gather": lambda n: n,
    "all_reduce": lambda n: 2,
    "reduce_scatter": lambda n: 1,
    "all_to_all": lambda n: 1,
    "shard_dim_alltoall": lambda n: 1,
    "broadcast": lambda n: n,
}
NAMESPACES = ("_c10d_functional", "_dtensor")


class Moved(TorchDispatchMode):
    """Adds up the bytes that this process gets from others while the mode is on."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes = 0
        self.calls: list[tuple[str, int]] = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if any(issubclass(each, DTensor) for each in types):
            return NotImplemented  # what becomes of it comes here again
        kwargs = kwargs or {}
        given = dict(zip((a.name for a in function._schema.arguments), args)) | kwargs
        if "group_name" in given and function.namespace in NAMESPACES:
            self._count(function._schema.name.partition("::")[2], args, given)
        return function(*args, **kwargs)

    def _count(self, name: str, args: tuple, given: dict[str, Any]) -> None:
        kind = next((each for each in WEIGHTS if name.startswith(each)), None)
        if kind is None:
            raise ValueError(f"a collective that is not known: {name}")
        group = given["group_name"]
        if isinstance(group, str):
            group = torch.distributed.distributed_c10d._resolve_process_group(group)
        first = args[0] if isinstance(args[0], (list, tuple)) else [args[0]]
        size = sum(x.numel() * x.element_size() for x in first)
        count = group.size()
        moved = round(WEIGHTS[kind](count) * size * (count - 1) / count)
        self.bytes += moved
        self.calls.append((name, moved))
