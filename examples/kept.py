"""Measure the tensors that a forward in PyTorch saves for its backward."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, UntypedStorage, nn
from torch.distributed._functional_collectives import AsyncCollectiveTensor
from torch.distributed.tensor import DTensor


def bytes_kept(model: nn.Module, forward: Callable[[], Tensor]) -> int:
    """Return the bytes that `forward`, which returns a loss, saves in this process, without
    parameters.

    After a forward, FSDP frees the parameters that it gathered. So the sizes of storages are
    measured then.
    """
    kept: list[UntypedStorage] = []

    def pack(tensor: Tensor) -> Tensor:
        kept.append(_storage(tensor))
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        loss = forward()
    assert loss.requires_grad  # what is kept is alive here: no address is counted twice
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
