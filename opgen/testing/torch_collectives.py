"""Compute how many bytes a PyTorch program moves, from the arguments of its collectives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch._C._distributed_c10d import _resolve_process_group
from torch.distributed import ProcessGroup
from torch.distributed.tensor import DTensor
from torch.utils._python_dispatch import TorchDispatchMode

# A collective over n processes sends each process `weight(n) * (n - 1)/n` times the size of its
# argument.
WEIGHTS: dict[str, Callable[[int], int]] = {
    "all_gather": lambda n: n,
    "all_reduce": lambda n: 2,
    "reduce_scatter": lambda n: 1,
    "all_to_all": lambda n: 1,
    "shard_dim_alltoall": lambda n: 1,
    "broadcast": lambda n: 1,
}
NAMESPACES = ("_c10d_functional", "_dtensor")
# The functional collectives that only copy elements.
COPIES = ("all_gather_into_tensor", "all_to_all_single", "broadcast")
# The c10d ops that FSDP calls. Each value is a key of `WEIGHTS`, and the argument that is sent.
EAGER = {
    "_allgather_base_": ("all_gather", "input_tensor"),
    "_reduce_scatter_base_": ("reduce_scatter", "input_tensor"),
    "allgather_": ("all_gather", "input_tensors"),
    "reduce_scatter_": ("reduce_scatter", "input_tensors"),
    "allreduce_": ("all_reduce", "tensors"),
    "alltoall_base_": ("all_to_all", "input"),
    "broadcast_": ("broadcast", "tensors"),
}


class Moved(TorchDispatchMode):
    """A dispatch mode that counts the bytes that this process receives from other processes.

    fp8 is sent as uint8, as NCCL does, because gloo has no fp8.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # PyTorch gives it no types
        self.bytes = 0
        self.calls: list[tuple[str, int]] = []

    def __torch_dispatch__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        if any(issubclass(each, DTensor) for each in types):
            return NotImplemented  # the functions that this op calls arrive here again
        kwargs = kwargs or {}
        given = dict(zip((a.name for a in function._schema.arguments), args)) | kwargs
        name = function._schema.name.partition("::")[2]
        if "group_name" in given and function.namespace in NAMESPACES:
            group = given["group_name"]
            if not isinstance(group, ProcessGroup):
                group = _resolve_process_group(group)
            self._count(name, args[0], group.size())
            if name in COPIES and _is_fp8(args[0]):
                raw = function(args[0].view(torch.uint8), *args[1:], **kwargs)
                return raw.view(args[0].dtype)
        elif function.namespace == "c10d" and "process_group" in given:
            kind, sent = EAGER.get(name, (name, "tensors"))
            group = ProcessGroup.unbox(given["process_group"])
            self._count(kind, given.get(sent), group.size())
        return function(*args, **kwargs)

    def _count(self, name: str, sent: Any, count: int) -> None:
        kind = next((each for each in WEIGHTS if name.startswith(each)), None)
        if kind is None:
            raise ValueError(f"a collective that is not known: {name}")
        size = sum(x.numel() * x.element_size() for x in _tensors(sent))
        moved = round(WEIGHTS[kind](count) * size * (count - 1) / count)
        self.bytes += moved
        self.calls.append((name, moved))


def _is_fp8(sent: Any) -> bool:
    return isinstance(sent, torch.Tensor) and sent.is_floating_point() and sent.element_size() == 1


def _tensors(sent: Any) -> Iterator[torch.Tensor]:
    """Yield the tensors in an argument, which is a tensor or a nested list of tensors."""
    if isinstance(sent, torch.Tensor):
        yield sent
    else:
        for each in sent:
            yield from _tensors(each)
