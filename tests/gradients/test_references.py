"""Gradients that a framework computes by autodiff of the reference."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
import torch
import torch.distributed as dist


@pytest.fixture
def mesh() -> Iterator[Any]:
    """A device mesh with only this process."""
    from torch.distributed.device_mesh import init_device_mesh

    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    yield init_device_mesh("cpu", (1,))
    dist.destroy_process_group()


def test_a_reference_of_dtensors_may_make_tensors(torch_ops: ModuleType, mesh: Any) -> None:
    from torch.distributed.tensor import Shard, distribute_tensor

    x = distribute_tensor(torch.ones(2, 3), mesh, [Shard(0)]).requires_grad_()
    (dx,) = torch.autograd.grad(torch_ops.ramp(x).sum(), x)
    assert dx.full_tensor().tolist() == [[0.0, 1.0, 2.0]] * 2
