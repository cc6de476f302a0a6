"""Functions by which tests read the stand-in's records and violations, and make CUDA calls fail."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import torch

from tests.cuda_stand_in.libraries import CUDART
from tests.cuda_stand_in.paths import LIBRARIES

_runtime = ctypes.CDLL(str(LIBRARIES / CUDART))
for _name in ("standInRecords", "standInViolations"):
    getattr(_runtime, _name).restype = ctypes.c_char_p


class Happening(NamedTuple):
    """A record of one launch, copy, fill, event or wait."""

    kind: str
    device: int
    stream: int
    what: str


def happenings() -> list[Happening]:
    """Return the records since the last call of this function."""
    lines = _runtime.standInRecords().decode().splitlines()
    fields = (line.split("\t", 3) for line in lines)
    return [
        Happening(kind, int(device), int(stream), what) for kind, device, stream, what in fields
    ]


def violations() -> list[str]:
    """Return the violations since the last call of this function, without duplicates."""
    return list(dict.fromkeys(_runtime.standInViolations().decode().splitlines()))


def synchronize() -> None:
    """Wait for all devices, so that all work has run and its violations are known."""
    for device in range(torch.cuda.device_count()):
        torch.cuda.synchronize(device)


@contextmanager
def failing(function: str, error: int, *, calls: int = 1, sticky: bool = False) -> Iterator[None]:
    """Make the next `calls` calls of a CUDA function fail (-1: all calls).

    If `sticky`, all later calls of any CUDA function fail with the same error.
    """
    _runtime.standInFail(function.encode(), error, calls, sticky)
    try:
        yield
    finally:
        _runtime.standInForgive()


def allocate_each_tensor() -> None:
    """Give each tensor a separate allocation. Call this before any use of a GPU."""
    address = {
        name: ctypes.cast(getattr(_runtime, name), ctypes.c_void_p).value
        for name in ("standInAllocate", "standInFree", "standInKeep")
    }
    allocator = torch._C._cuda_customAllocator(address["standInAllocate"], address["standInFree"])
    allocator.set_record_stream_fn(address["standInKeep"])
    torch._C._cuda_changeCurrentAllocator(allocator)


@contextmanager
def own_streams() -> Iterator[None]:
    """Use a new current stream on each device, and device 0 as the current device."""
    devices = range(torch.cuda.device_count())
    before = [torch.cuda.current_stream(device) for device in devices]
    synchronize()
    for device in devices:
        torch.cuda.set_stream(torch.cuda.Stream(device))
    torch.cuda.set_device(0)
    try:
        yield
    finally:
        synchronize()
        for stream in before:
            torch.cuda.set_stream(stream)
        torch.cuda.set_device(0)
