"""The stand-in detects wrong memory accesses and missing events, and lets calls fail on request."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest
import torch

from tests.cuda_stand_in import device
from tests.cuda_stand_in.child import in_child
from tests.cuda_stand_in.paths import BUILD, HERE, RUNTIME, compiler, run

COUNT = 1000
LATE = {"STAND_IN_ORDER": "late"}


def on_device(value: float = 1) -> torch.Tensor:
    return torch.full((COUNT,), float(value)).to("cuda:1")


def side_stream() -> torch.cuda.Stream:
    return torch.cuda.Stream("cuda:1")


def read(address: int) -> float:
    return ctypes.c_float.from_address(address).value


def test_the_host_reads_no_memory_of_a_device() -> None:
    outcome = in_child(lambda: read(on_device().data_ptr() + 8))
    assert outcome.startswith("died: stand-in: the host touches memory of device 1")
    assert "byte 8 of" in outcome


def test_freed_memory_stays_closed() -> None:
    def work() -> float:
        device.allocate_each_tensor()
        x = on_device()
        address = x.data_ptr()
        del x
        kept = on_device()
        return read(address) + kept.numel()

    assert in_child(work).startswith("died: stand-in: the host touches memory of device 1")


def test_a_copy_past_a_tensor_is_a_violation() -> None:
    def work() -> str:
        device.allocate_each_tensor()
        x = on_device()
        host = torch.empty(COUNT + 1)
        error = device._runtime.cudaMemcpy(
            ctypes.c_void_p(host.data_ptr()), ctypes.c_void_p(x.data_ptr()), host.nbytes, 4
        )
        return f"{error}: {device.violations()}"

    assert in_child(work) == "1: ['a copy or fill of 4004 bytes is not within one allocation']"


def raced(order: str, event: bool) -> str:
    """Copy on one stream, then copy the result on another, with or without an event between them.

    Return an element of the last copy and the number of violations.
    """

    def work() -> str:
        device.allocate_each_tensor()
        x, y, z = on_device(1), on_device(2), on_device(3)
        device.synchronize()
        first, second = side_stream(), side_stream()
        with torch.cuda.stream(first):
            y.copy_(x)
        if event:
            second.wait_stream(first)
        with torch.cuda.stream(second):
            z.copy_(y)
        device.synchronize()
        return f"{z[0].item()} {len(device.violations())}"

    return in_child(work, STAND_IN_ORDER=order)


def test_a_missing_event_is_a_violation_whichever_runs_first() -> None:
    outcomes = {raced(order, event=False) for order in ("eager", "late", *"1234")}
    assert outcomes == {"1.0 1", "2.0 1"}


def test_an_event_orders() -> None:
    assert {raced(order, event=True) for order in ("eager", "late", *"12")} == {"1.0 0"}


def freed(kept: bool) -> str:
    def work() -> int:
        device.allocate_each_tensor()
        x, y = on_device(1), on_device(2)
        device.synchronize()
        side = side_stream()
        with torch.cuda.stream(side):
            y.copy_(x)
        if kept:
            x.record_stream(side)
        del x
        device.synchronize()
        return len(device.violations())

    return in_child(work, **LATE)


def test_memory_that_another_stream_uses_may_not_be_freed() -> None:
    assert (freed(kept=False), freed(kept=True)) == ("1", "0")


def test_a_copy_to_pinned_memory_is_late() -> None:
    def work() -> str:
        x, host = on_device(), torch.zeros(COUNT).pin_memory()
        host.copy_(x, non_blocking=True)
        before = host[0].item()
        device.synchronize()
        return f"{before} {host[0].item()}"

    assert in_child(work, **LATE) == "0.0 1.0"


def test_a_sticky_error_stays() -> None:
    def work() -> str:
        x, failures = on_device(), 0
        with device.failing("cudaMemcpy", 700, sticky=True):
            for call in (x.cpu, x.cpu, device.synchronize):
                try:
                    call()
                except RuntimeError as error:
                    failures += "cudaErrorIllegalAddress" in str(error)
        return f"{failures} {x.cpu()[0].item()}"

    assert in_child(work) == "3 1.0"


def test_devices_are_no_peers_and_copy_to_each_other() -> None:
    def work() -> str:
        x = on_device().to("cuda:0")
        return f"{torch.cuda.can_device_access_peer(0, 1)} {x.device} {x.cpu()[5].item()}"

    assert in_child(work, **LATE) == "False cuda:0 1.0"


def test_out_of_memory_names_the_op_and_changes_nothing(package: Path) -> None:
    """If a call cannot allocate memory, the error names the op and no argument is changed."""

    def work() -> str:
        import generated.torch as ops

        size = 3 << 20  # too large for the blocks that PyTorch's allocator shares among tensors
        x, residual = (torch.ones(1, size, device="cpu").to("cuda:1") for _ in range(2))
        weight = torch.ones(size).to("cuda:1")
        device.synchronize()
        told = []
        for op, given in (
            (ops.relu, (x,)),
            (ops.rms_norm, (x, weight)),
            (ops.fused_add_rms_norm, (x, residual, weight)),
        ):
            with device.failing("cudaMalloc", 2, calls=-1):
                try:
                    op(*given)
                except torch.OutOfMemoryError as error:
                    told.append(op.__name__ if op.__name__ in str(error) else f"? {error}")
        unchanged = bool((residual.cpu() == 1).all())
        return f"{told} {unchanged} {device.violations()}"

    assert in_child(work) == "['relu', 'rms_norm', 'fused_add_rms_norm'] True []"


@pytest.fixture(scope="module")
def launcher() -> Path:
    """A library of `launcher.cpp` and the adapters' code for the CUDA driver."""
    made = BUILD / "launcher.so"
    sources = (HERE / "launcher.cpp", RUNTIME / "adapters" / "cuda" / "driver_device.cpp")
    flags = ("-std=c++17", "-shared", "-fPIC", "-DUSE_CUDA", "-DOPGEN_NAMESPACE=probe")
    run(*compiler(), *flags, f"-I{RUNTIME / 'include'}", *sources, "-o", made, "-ldl")
    return made


def test_the_driver_launches_and_fills_on_the_device_of_the_tensor(launcher: Path) -> None:
    def work() -> str:
        device.allocate_each_tensor()
        library = ctypes.CDLL(str(launcher))
        pointer = ctypes.c_void_p
        library.fill.argtypes = [ctypes.c_int, pointer, pointer, ctypes.c_int64, ctypes.c_double]
        x = torch.zeros(COUNT, dtype=torch.float64).to("cuda:1")
        stream, other = (pointer(torch.cuda.Stream(on).cuda_stream) for on in ("cuda:1", "cuda:0"))
        device.synchronize()
        device.happenings()
        codes = [
            library.start(1, stream, 1 << 10),
            library.fill(1, stream, x.data_ptr(), COUNT, 0.3),
            library.start(1, stream, 1 << 20),  # more shared memory than a GPU has
        ]
        found = device.happenings()
        assert len({h.stream for h in found if h.kind != "module"}) == 1, found
        assert {h.device for h in found} == {1} and torch.cuda.current_device() == 0, found
        device.synchronize()
        assert (x.cpu() == 0.3).all() and not device.violations()
        codes += [library.start(1, other, 0), library.start(2, stream, 0)]
        return f"{codes} {[h.what for h in found if h.what]} {len(device.violations())}"

    fill = f"fill of {4 * COUNT} bytes"
    outcome = in_child(work, **LATE)
    launch = "scale of 4x2x1 blocks, 1024 bytes"
    assert outcome == f"[0, 0, -2, 400, -1] {[launch, fill, fill]} 1"
