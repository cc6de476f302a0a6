"""A pytest plugin that runs the JAX tests for a GPU on the stand-in, with XLA's own plugin.

The tests use device 1. XLA compiles code for a GPU unless a call needs nothing but our kernel. The
stand-in cannot run that code, so these tests are skipped. A violation makes the test fail. The
summary lists the ops whose tests were all skipped.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from pathlib import Path

import jax
import pytest
from jax._src import hardware_utils

from opgen.testing import devices, jax_checks
from tests.cuda_stand_in import device

pytest_plugins = ["tests.cuda_stand_in.selection"]
GENERATED = "CUBIN"  # from XLA's message that the driver does not load its code
hardware_utils.has_visible_nvidia_gpu = lambda: True
devices.DRIVER = Path(os.devnull)
devices.DEVICES = ("cpu", pytest.param("cuda", marks=pytest.mark.gpu))
jax_checks.on = lambda _: jax.default_device(jax.devices("cuda")[1])

ran: defaultdict[tuple[str, str], Counter[bool]] = defaultdict(Counter)
happened: Counter[tuple[str, int]] = Counter()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item):
    device.violations()
    device.happenings()
    of = item.cls.subject.name, item.originalname
    try:
        result = yield
    except jax.errors.JaxRuntimeError as error:
        if GENERATED not in str(error):
            raise
        ran[of][False] += 1
        pytest.skip("XLA generates code for this call")
    ran[of][True] += 1
    found = device.violations()
    here = Counter((h.kind, h.device) for h in device.happenings())
    happened.update(here)
    assert not found, "\n".join(found)
    assert not here["launch", 0], "a kernel ran on device 0"
    return result


def pytest_terminal_summary(terminalreporter) -> None:
    told = (f"{n} x {kind} on {where}" for (kind, where), n in sorted(happened.items()))
    terminalreporter.write_line(f"stand-in: {', '.join(told)}")
    never = (f"{op} ({test})" for (op, test), counts in sorted(ran.items()) if not counts[True])
    terminalreporter.write_line(f"XLA generates code for all calls of: {', '.join(never)}")
