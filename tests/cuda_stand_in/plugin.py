"""A pytest plugin by which GPU tests run on the stand-in: `-p tests.cuda_stand_in.plugin`.

Every test runs on new streams, with device 0 as the current device. `STAND_IN_DEVICE` is the device
that rendered tests use for "cuda". With `STAND_IN_EVERYWHERE=1`, tests that name no device also
have all their tensors there, and `torch.compile` uses the backend `STAND_IN_BACKEND`. The names of
ops in `STAND_IN_OPS` select the tests of these ops. `STAND_IN_CASES` is the largest number of calls
for each test of an op. Tests of JAX are left out. A violation makes the test fail.
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


def op_of(item: pytest.Item) -> str | None:
    """The name of the op that a test is of; None: of no single op."""
    given = getattr(item, "callspec", None)
    subject = given.params.get("subject") if given else None
    return getattr(subject or getattr(item.cls, "subject", None), "name", None)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = os.environ.get("STAND_IN_OPS", "").split()
    most = float(os.environ.get("STAND_IN_CASES", "inf"))
    seen: Counter[tuple[str, str]] = Counter()
    kept: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in items:
        op = op_of(item)
        of = (op or item.nodeid, getattr(item, "originalname", item.name))
        chosen = (op is None or not wanted or op in wanted) and seen[of] < most
        chosen &= not item.name.startswith("test_jax")
        seen[of] += chosen
        (kept if chosen else left_out).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept


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


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "gpu: runs on a GPU")
    config.addinivalue_line("markers", "slow: takes long")


def pytest_terminal_summary(terminalreporter) -> None:
    if happened:
        told = (f"{n} x {kind} on {where}" for (kind, where), n in sorted(happened.items()))
        terminalreporter.write_line(f"stand-in: {', '.join(told)}")
