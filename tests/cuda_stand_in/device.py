"""The stand-in as a test sees it: what happened, what was wrong, and errors on demand."""

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
    """One launch, copy, fill, event or wait."""

    kind: str
    device: int
    stream: int
    what: str


def happenings() -> list[Happening]:
    """The record since the last call."""
    lines = _runtime.standInRecords().decode().splitlines()
    fields = (line.split("\t", 3) for line in lines)
    return [
        Happening(kind, int(device), int(stream), what) for kind, device, stream, what in fields
    ]


def violations() -> list[str]:
    """The violations since the last call, each once."""
    return list(dict.fromkeys(_runtime.standInViolations().decode().splitlines()))


def synchronize() -> None:
    """Wait for all devices, so that all work has run and been judged."""
    for device in range(torch.cuda.device_count()):
        torch.cuda.synchronize(device)


@contextmanager
def failing(function: str, error: int, *, calls: int = 1, sticky: bool = False) -> Iterator[None]:
    """Let the next calls of a function of CUDA fail (-1: all); if sticky, so does all after them."""
    _runtime.standInFail(function.encode(), error, calls, sticky)
    try:
        yield
    finally:
        _runtime.standInForgive()


def allocate_each_tensor() -> None:
    """Give each tensor a separate allocation. No GPU may have been used before."""
    address = {
        name: ctypes.cast(getattr(_runtime, name), ctypes.c_void_p).value
        for name in ("standInAllocate", "standInFree", "standInKeep")
    }
    allocator = torch._C._cuda_customAllocator(address["standInAllocate"], address["standInFree"])
    allocator.set_record_stream_fn(address["standInKeep"])
    torch._C._cuda_changeCurrentAllocator(allocator)


@contextmanager
def own_streams() -> Iterator[None]:
    """Make new streams the current ones of all devices, and device 0 the current device."""
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
