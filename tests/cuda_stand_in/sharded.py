"""The rendered checks of DTensors in two processes, each with a device of the stand-in.

PyTorch's gloo takes tensors of a GPU for memory of the host when it gathers them, and the process
ends. This is github.com/pytorch/pytorch/issues/152645. So collectives run on the CPU.
"""

from __future__ import annotations

import functools
from typing import Any

import torch

from opgen.testing import torch_checks, torch_sharding
from tests.cuda_stand_in import aten, device

COLLECTIVES = ("all_reduce", "all_gather_into_tensor", "reduce_scatter_tensor", "all_to_all_single")
_on_the_cpu = torch_sharding._measured
_registered: list[torch.library.Library] = []


def install() -> None:
    """Let the check of placements run on the devices."""
    torch_sharding.PROCESSES = (2,)
    torch_sharding._measured = measured


class _Collective:
    """A collective that has ended when it returns."""

    def __init__(self, name: str) -> None:
        self.op = getattr(torch.ops._c10d_functional, name).default
        self._schema = self.op._schema

    def __call__(self, *given: Any) -> Any:
        return torch.ops._c10d_functional.wait_tensor(self.op(*given))


@functools.cache
def _prepared() -> str:
    """The device of this process, which is new."""
    from torch.distributed.device_mesh import init_device_mesh

    device.allocate_each_tensor()
    aten.install()
    library = torch.library.Library("_c10d_functional", "IMPL")
    _registered.append(library)
    for name in COLLECTIVES:
        library.impl(name, aten.on_the_cpu(_Collective(name)), "CUDA")
    on = f"cuda:{torch.distributed.get_rank()}"
    torch.cuda.set_device(on)
    torch_checks.tensors.__kwdefaults__["device"] = on
    torch_sharding._mesh = functools.cache(lambda shape: init_device_mesh("cuda", shape))
    return on


def measured(*given: Any) -> Any:
    """`torch_sharding._measured` on a device: all launches are there. A violation is an error."""
    on = torch.device(_prepared())
    device.happenings()
    with torch.cuda.stream(torch.cuda.Stream(on)):
        found = _on_the_cpu(*given)
        device.synchronize()
    launched = {each.device for each in device.happenings() if each.kind == "launch"}
    wrong = device.violations()
    assert not wrong, "\n".join(wrong)
    assert launched == {on.index}, f"kernels ran on {launched} instead of {on}"
    return found
