"""Measure the size of the tensors that a forward in PyTorch saves for its backward."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, UntypedStorage, nn
from torch.distributed._functional_collectives import AsyncCollectiveTensor
from torch.distributed.tensor import DTensor


def bytes_kept(model: nn.Module, forward: Callable[[], Tensor]) -> int:
    """Return the bytes that `forward` saves for the backward in this process, without parameters.

    `forward` returns a loss. The function measures the sizes of storages after the forward, because
    by then FSDP has freed the parameters that it gathered.
    """
    kept: list[UntypedStorage] = []

    def pack(tensor: Tensor) -> Tensor:
        kept.append(_storage(tensor))
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        loss = forward()
    assert loss.requires_grad  # all saved tensors are alive here, so no two have the same address
    sizes = {storage.data_ptr(): storage.nbytes() for storage in kept}
    for parameter in model.parameters():
        sizes.pop(_storage(parameter).data_ptr(), None)
    return sum(sizes.values())


def _storage(tensor: Tensor) -> UntypedStorage:
    if isinstance(tensor, DTensor):
        tensor = tensor.to_local()
    if isinstance(tensor, AsyncCollectiveTensor):
        tensor = tensor.wait()
    return tensor.untyped_storage()
