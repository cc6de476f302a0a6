"""What an entry asks of the driver: which code it loads, and what it launches that with."""

from __future__ import annotations

import importlib
import json
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from opgen.build.triton_compiler import Task, compile_task, parameters_of
from opgen.language.dtypes import DTYPES

ENTRY = Path(__file__).parent / "entry.py"
X, KEPT, BIAS, Y, STREAM = 0x10000, 0x20008, 0x30004, 0x40000, 0x7777
OK, NO_KERNEL, LAUNCH_FAILED = 0, 1, 2
PARAMETERS = {"rows": "8,8,8,8,8,4,8,8,8", "anyhow": "8,8,8,8,4,8,8,8"}


class Run(NamedTuple):
    statuses: list[int]
    said: list[list[str]]
    images: list[bytes]

    def of(self, what: str) -> list[list[str]]:
        return [line[1:] for line in self.said if line[0] == what]


@pytest.fixture
def called(project: Path, false_cuda: Path, tmp_path: Path) -> Any:
    """Calls the entry of `scaled`, and gives what the driver was asked for."""

    def call(
        rows: int = 3,
        d: int = 16,
        *,
        dtype: str = "bf16",
        kernel: int = 0,
        biased: bool = False,
        x: int = X,
        arch: int = 80,
        device: int = 2,
        times: int = 1,
        driver: bool = True,
    ) -> Run:
        sys.path.insert(0, str(project))
        try:
            core = importlib.import_module("scaled_ops.core").scaled
        finally:
            sys.path.remove(str(project))
        code = DTYPES[dtype].code
        fields = {"batch": rows, "batch_rank": 1, "d": d, "by": 0.5, "negate": 1, "T": code}
        given = {
            "entry": "scaled_ops_scaled_cuda",
            "descriptor": core.pack(**fields).hex(),
            "buffers": [
                (Y, [rows, d], code),
                (x, [rows, d], code),
                (KEPT, [rows], DTYPES["bool"].code),
                (BIAS if biased else 0, [d], DTYPES["f32"].code),
            ],
            "context": {"stream": STREAM, "device": device, "kernel": kernel},
            "grid": (rows, -(-d // 128) if kernel else 1, 1),
            "times": times,
        }
        log = tmp_path / f"log{len(list(tmp_path.iterdir()))}"
        environment = {
            **os.environ,
            "LD_LIBRARY_PATH": str(false_cuda if driver else tmp_path),
            "FALSE_GPU_LOG": str(log),
            "FALSE_GPU_ARCH": str(arch),
            "FALSE_GPU_PARAMETERS": PARAMETERS["anyhow" if kernel else "rows"],
        }
        (library,) = (project / "scaled_ops" / "lib").rglob("libscaled_ops_kernels-*.so")
        command = [sys.executable, str(ENTRY), str(library), json.dumps(given)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        said = [line.split() for line in log.read_text().splitlines()] if log.exists() else []
        images = [Path(line[1]).read_bytes() for line in said if line[0] == "load"]
        return Run(json.loads(done.stdout), said, images)

    return call


def compiled(
    project: Path, name: str, constants: dict[str, Any], arch: int, *, dtype: str, aligned: bool
) -> Any:
    """A variant, compiled here: what the library should hold."""
    listed = json.loads((project / "scaled_ops" / "cpp" / "scaled_triton.json").read_text())
    kernels = (k for k in listed["kernels"] if k["platform"] == "cuda")
    (kernel,) = (k for k in kernels if k["function"] == name)
    (variant,) = (
        v
        for v in kernel["variants"]
        if (v["constants"], v["signature"]["x"], bool(v["multiples_of_16"]))
        == (constants, f"*{dtype}", aligned)
    )
    done = compile_task(Task.of(kernel, variant, project / "kernels", f"cuda:{arch}"))
    assert not done.error
    return done


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
    run = called(5, d, dtype=dtype, biased=biased, x=x, arch=90)
    constants = {"BLOCK": block, "BIASED": biased}
    wanted = compiled(project, "rows", constants, 90, dtype=triton, aligned=aligned)
    assert run.statuses == [OK] and run.images == [wanted.binary]
    assert run.of("function") == [["rows"]]
    bias = BIAS if biased else 0
    given = struct.pack("<5qf4xq", x, KEPT, bias, Y, d, 0.5, 1)
    ((grid, block_, shared, stream, no_extra, *parameters),) = run.of("launch")
    assert (grid, block_) == ("5,1,1", f"{wanted.threads},1,1") == ("5,1,1", "32,1,1")
    assert (int(shared), int(stream, 16), no_extra) == (wanted.shared, STREAM, "1")
    sizes = parameters_of(wanted.binary)
    expected = [given[at : at + size].hex() for at, size in sizes[:7]]
    assert parameters == [*expected, "00" * 8, "00" * 8] and len(sizes) <= 9


def test_another_kernel_of_the_list(called: Any, project: Path) -> None:
    run = called(3, 300, kernel=1)
    wanted = compiled(project, "anyhow", {"BLOCK": 128}, 80, dtype="bf16", aligned=False)
    assert run.statuses == [OK] and run.images == [wanted.binary]
    ((grid, *_),) = run.of("launch")
    assert grid == "3,3,1"


@pytest.mark.parametrize("arch, status, image", [(86, OK, 80), (90, OK, 90), (75, NO_KERNEL, 0)])
def test_code_is_chosen_by_the_device(
    called: Any, project: Path, arch: int, status: int, image: int
) -> None:
    run = called(arch=arch)
    assert run.statuses == [status]
    constants = {"BLOCK": 16, "BIASED": False}
    expected = (
        [compiled(project, "rows", constants, image, dtype="bf16", aligned=True).binary]
        if image
        else []
    )
    assert run.images == expected


def test_newer_devices_get_ptx(called: Any) -> None:
    (text,) = called(arch=120).images
    assert b".target sm_80" in text and b".entry rows" in text


def test_it_is_loaded_once_for_a_device_in_its_context(called: Any) -> None:
    run = called(device=3, times=3)
    assert run.statuses == [OK] * 3
    assert len(run.of("load")) == 1 and len(run.of("launch")) == 3
    assert run.of("push") == [["0x103"]] * 3 and len(run.of("pop")) == 3


def test_values_that_are_too_large_have_no_code(called: Any) -> None:
    assert called(d=65).statuses == [NO_KERNEL]


def test_without_a_driver_a_launch_fails(called: Any) -> None:
    assert called(driver=False).statuses == [LAUNCH_FAILED]


def test_nothing_is_launched_for_nothing(called: Any) -> None:
    assert called(rows=0) == ([OK], [], [])
