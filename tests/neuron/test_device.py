"""Ops on PyTorch's device `neuron`: adapters, autograd, transforms and compiled programs.

The device is a PrivateUse1 backend in host memory that uses the stand-in for `nki`.
"""

from __future__ import annotations

import subprocess

import pytest

from generated.neuron.nki import KERNELS
from tests.neuron.test_custom_operators import printed, start

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def running() -> dict[str, subprocess.Popen[str]]:
    """Start the checks in device.py. The first one compiles the backend for the others."""
    found = {"ops": start("device.py", "ops")}
    found["ops"].wait()
    return found | {name: start("device.py", name) for name in ("training", "transforms", "shards")}


def test_every_op_computes_as_on_the_cpu_or_says_what_it_requires(running: dict) -> None:
    rows = [line.split() for line in printed(running["ops"]).splitlines()]
    assert [name for name, *_ in rows] == sorted(KERNELS)
    assert all(int(taken) >= 2 for _, taken, _ in rows)
    assert sum(int(refused) for *_, refused in rows) > 10, "f64, and scalars of some"


def test_a_model_trains_to_the_losses_of_native_ops(running: dict) -> None:
    native, *others = (
        [float(loss) for loss in line.split()] for line in printed(running["training"]).splitlines()
    )
    assert len(native) == 5 and native[-1] < 0.1 * native[0]
    assert len(others) == 2, "eager, and compiled"
    for losses in others:
        assert losses == pytest.approx(native, rel=1e-5)


def test_transforms(running: dict) -> None:
    assert printed(running["transforms"]) == "right\n"


def test_dtensor_and_fsdp_on_two_processes(running: dict) -> None:
    assert printed(running["shards"]).endswith("right\n")
