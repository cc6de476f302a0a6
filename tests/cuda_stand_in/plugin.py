"""A pytest plugin by which GPU tests run on the stand-in: `-p tests.cuda_stand_in.plugin`.

Every test runs on new streams, with device 0 as the current device. `STAND_IN_DEVICE` is the device
that rendered tests use for "cuda". With `STAND_IN_EVERYWHERE=1`, tests that name no device also
have all their tensors there, and `torch.compile` uses the backend `STAND_IN_BACKEND`. Tests of JAX
are left out. A violation makes the test fail.
"""

from __future__ import annotations

import gc
import os
from collections import Counter
from pathlib import Path

import pytest
import torch
from torch.utils._device import set_device

from opgen.testing import arrays, devices
from tests.cuda_stand_in import aten, device

pytest_plugins = ["tests.cuda_stand_in.selection"]
devices.DRIVER = Path(os.devnull)
MEANT = os.environ.get("STAND_IN_DEVICE", "cuda")
devices.DEVICES = ("cpu", pytest.param(MEANT, marks=pytest.mark.gpu))
if os.environ.get("STAND_IN_EVERYWHERE") == "1":
    # Replace `to_torch` before the modules of checks import it.
    to_torch = arrays.to_torch
    arrays.to_torch = lambda array: None if array is None else to_torch(array).to(MEANT)
    from opgen.testing import torch_checks, torch_kinds
    from tests.cuda_stand_in import sharded

    sharded.install()
    torch_checks.tensors.__kwdefaults__["device"] = MEANT
    # Sparse and nested tensors, which ops refuse, stay on the CPU.
    torch_kinds.foreign = set_device("cpu")(torch_kinds.foreign)
    torch.set_default_device(MEANT)
    if "STAND_IN_BACKEND" in os.environ:
        torch_compile = torch.compile
        torch.compile = lambda *given, **named: torch_compile(
            *given, **{**named, "backend": os.environ["STAND_IN_BACKEND"]}
        )
if os.environ.get("STAND_IN_ALLOCATOR") != "torch":
    device.allocate_each_tensor()
aten.install()

happened: Counter[tuple[str, int]] = Counter()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item):
    device.violations()
    with device.own_streams():
        result = yield
        changed = torch.cuda.current_device()
    gc.collect(0)
    found = device.violations()
    happened.update((h.kind, h.device) for h in device.happenings())
    assert not found, "\n".join(found)
    assert changed == 0, f"the current device is {changed} after the test, and was 0"
    return result


def pytest_terminal_summary(terminalreporter) -> None:
    if happened:
        told = (f"{n} x {kind} on {where}" for (kind, where), n in sorted(happened.items()))
        terminalreporter.write_line(f"stand-in: {', '.join(told)}")
