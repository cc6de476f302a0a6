"""Ops with PyTorch's streams, threads, compiler and allocator, on the machine's last GPU."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

import generated.torch as ops
from tests.gpu.test_kernels import DEVICE

if DEVICE != "cuda":
    pytest.skip("streams are CUDA's", allow_module_level=True)
pytestmark = pytest.mark.gpu
# The current device is the first one: on a machine with two GPUs, the ops must change it.
ON = torch.device("cuda", torch.cuda.device_count() - 1)


def given() -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(0)  # the default generator is shared by all threads
    drawn = (torch.randn(shape, generator=generator) for shape in ((50, 400), (400,)))
    return [each.to(ON).requires_grad_() for each in drawn]


def normed(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    return ops.rms_norm(ops.relu(x), weight)


def gradients(function, inputs: list[torch.Tensor]) -> list[torch.Tensor]:
    """Return the result and the gradients of a call."""
    y = function(*inputs)
    return [y.detach(), *torch.autograd.grad(y, inputs, torch.ones_like(y))]


def same(found: list[torch.Tensor], wanted: list[torch.Tensor]) -> None:
    for a, b in zip(found, wanted, strict=True):
        assert torch.equal(a.cpu(), b.cpu())


def test_streams_wait_for_each_other() -> None:
    wanted = gradients(normed, given())
    inputs = given()
    before, side = torch.cuda.current_stream(ON), torch.cuda.Stream(ON)
    side.wait_stream(before)
    with torch.cuda.stream(side):
        found = gradients(normed, inputs)
    before.wait_stream(side)
    for each in inputs:
        each.record_stream(side)
    for each in found:
        each.record_stream(before)
    same(found, wanted)


def test_threads_have_streams_of_their_own() -> None:
    wanted = gradients(normed, given())

    def work(_: int) -> list[torch.Tensor]:
        with torch.cuda.stream(torch.cuda.Stream(ON)):
            found = gradients(normed, given())
            torch.cuda.current_stream(ON).synchronize()
        return found

    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(work, range(8)):
            same(found, wanted)


@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_compiled(backend: str) -> None:
    torch._dynamo.reset()
    compiled = torch.compile(normed, fullgraph=True, backend=backend)
    from torch._inductor import config

    with config.patch(compile_threads=1):  # starts no processes
        same(gradients(compiled, given()), gradients(normed, given()))


@pytest.mark.skipif(
    torch.cuda.memory.get_allocator_backend() == "pluggable", reason="it returns null instead"
)
def test_out_of_memory_names_the_op() -> None:
    torch.cuda.empty_cache()
    free, _ = torch.cuda.mem_get_info(ON)
    x = torch.empty(int(0.7 * free) // 4, device=ON)
    with pytest.raises(torch.OutOfMemoryError, match="relu"):
        ops.relu(x)


def test_devices_are_not_mixed() -> None:
    x, weight = given()
    with pytest.raises((RuntimeError, ValueError), match="weight: expected a tensor on cuda"):
        ops.rms_norm(x, weight.detach().cpu())
