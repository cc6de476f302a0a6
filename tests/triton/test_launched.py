"""An entry function's calls of the CUDA driver: the code that it loads, and the launch."""

from __future__ import annotations

import struct
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from opgen.build.triton_compiler import parameters_of
from tests.triton.calls import (
    BIAS,
    KEPT,
    LAUNCH_FAILED,
    NO_KERNEL,
    OK,
    STREAM,
    X,
    Y,
    call_scaled,
    compiled,
    parameters_as_written,
)


@pytest.fixture
def called(project: Path, false_cuda: Path, tmp_path: Path) -> Any:
    """Return a function that calls the entry of `scaled` and returns the recorded driver calls."""
    call = partial(call_scaled, project, log=tmp_path / "log", platform="cuda")
    return partial(call, driver=false_cuda, function="rows", arch="80")


@pytest.mark.parametrize("dtype, triton", [("bf16", "bf16"), ("f32", "fp32")])
@pytest.mark.parametrize(
    "d, biased, x, block, aligned",
    [
        (16, False, X, 16, True),
        (15, False, X, 16, False),
        (64, True, X, 64, True),
        (48, True, X + 8, 64, False),
    ],
)
def test_a_call_runs_the_code_for_it(
    called: Any,
    project: Path,
    dtype: str,
    triton: str,
    d: int,
    biased: bool,
    x: int,
    block: int,
    aligned: bool,
) -> None:
    run = called(rows=5, d=d, dtype=dtype, biased=biased, x=x, arch="90")
    constants = {"BLOCK": block, "BIASED": biased}
    wanted = compiled(
        project, "rows", "cuda:90", constants=constants, x=f"*{triton}", aligned=aligned
    )
    assert run.statuses == [OK] and run.images == [wanted.binary]
    assert run.of("function") == [["rows"]]
    bias = BIAS if biased else 0
    given = struct.pack("<5qf4xq", x, KEPT, bias, Y, d, 0.5, 1)
    ((grid, block_, shared, stream, no_extra, *parameters),) = run.of("launch")
    assert (grid, block_) == ("5,1,1", f"{wanted.threads},1,1") == ("5,1,1", "32,1,1")
    assert (int(shared), int(stream, 16), no_extra) == (wanted.shared, STREAM, "1")
    sizes = parameters_of(wanted.binary)
    expected = parameters_as_written(given, sizes[:7])
    assert parameters == [*expected, "00" * 8, "00" * 8] and len(sizes) <= 9


def test_another_kernel_of_the_list(called: Any, project: Path) -> None:
    run = called(rows=3, d=300, kernel=1, function="anyhow")
    wanted = compiled(project, "anyhow", "cuda:80", x="*bf16")
    assert run.statuses == [OK] and run.images == [wanted.binary]
    ((grid, *_),) = run.of("launch")
    assert grid == "3,3,1"


@pytest.mark.parametrize("arch, status, image", [(86, OK, 80), (90, OK, 90), (75, NO_KERNEL, 0)])
def test_code_is_chosen_by_the_device(
    called: Any, project: Path, arch: int, status: int, image: int
) -> None:
    run = called(arch=str(arch))
    assert run.statuses == [status]
    of = {"constants": {"BLOCK": 16, "BIASED": False}, "x": "*bf16", "aligned": True}
    targets = [f"cuda:{image}"] if image else []
    assert run.images == [compiled(project, "rows", each, **of).binary for each in targets]


def test_newer_devices_get_ptx(called: Any) -> None:
    (text,) = called(arch="120").images
    assert b".target sm_80" in text and b".entry rows" in text


def test_it_is_loaded_once_for_a_device_in_its_context(called: Any) -> None:
    run = called(device=3, times=3)
    assert run.statuses == [OK] * 3
    assert len(run.of("load")) == 1 and len(run.of("launch")) == 3
    assert run.of("push") == [["0x103"]] * 3 and len(run.of("pop")) == 3


def test_values_that_are_too_large_have_no_code(called: Any) -> None:
    assert called(d=65).statuses == [NO_KERNEL]


def test_without_a_driver_a_launch_fails(called: Any, tmp_path: Path) -> None:
    assert called(driver=tmp_path).statuses == [LAUNCH_FAILED]


def test_nothing_is_launched_for_nothing(called: Any) -> None:
    assert called(rows=0) == ([OK], [], [])
