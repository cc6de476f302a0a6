"""Values of a kernel in Triton that were chosen for a GPU: the code and the grid follow from them."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from opgen.build.triton_compiler import Task, compile_task
from opgen.language.dtypes import DTYPES

ENTRY = Path(__file__).parent / "entry.py"


def variant(project: Path, values: dict[str, int]) -> Any:
    """The code for these values, compiled here."""
    listed = json.loads((project / "scaled_ops" / "cpp" / "scaled_triton.json").read_text())
    (kernel,) = (k for k in listed["kernels"] if k["function"] == "halved")
    (found,) = (v for v in kernel["variants"] if {**v["constants"], "warps": v["warps"]} == values)
    done = compile_task(Task.of(kernel, found, project / "kernels", "cuda:80"))
    assert not done.error
    return done


@pytest.mark.parametrize(
    "n, device, block, warps",
    [
        (99, 2, 64, 1),
        (100, 2, 128, 2),
        (999, 2, 128, 2),
        (1000, 2, 64, 2),
        (1000, 1, 64, 1),  # another device
    ],
)
def test_a_call_runs_what_was_chosen(
    project: Path, false_cuda: Path, tmp_path: Path, n: int, device: int, block: int, warps: int
) -> None:
    sys.path.insert(0, str(project))
    try:
        core = importlib.import_module("scaled_ops.core").halved
    finally:
        sys.path.remove(str(project))
    code = DTYPES["f32"].code
    given = {
        "entry": "scaled_ops_halved_cuda",
        "descriptor": core.pack(n=n).hex(),
        "buffers": [(0x10000, [n], code), (0x20000, [n], code)],
        "context": {"stream": 1, "device": device},
        "grid": (1, 1, 1),
        "times": 1,
    }
    log = tmp_path / "log"
    environment = {
        **os.environ,
        "LD_LIBRARY_PATH": str(false_cuda),
        "FALSE_GPU_LOG": str(log),
        "FALSE_GPU_ARCH": "80",
        "FALSE_GPU_PARAMETERS": "8,8,8,8,8",
    }
    (library,) = (project / "scaled_ops" / "lib").rglob("libscaled_ops_kernels-*.so")
    command = [sys.executable, str(ENTRY), str(library), json.dumps(given)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and json.loads(done.stdout) == [0], done.stderr
    said = [line.split() for line in log.read_text().splitlines()]
    wanted = variant(project, {"BLOCK": block, "warps": warps})
    (image,) = (Path(line[1]).read_bytes() for line in said if line[0] == "load")
    assert image == wanted.binary
    ((grid, threads, *_),) = (line[1:] for line in said if line[0] == "launch")
    assert (grid, threads) == (f"{-(-n // block)},1,1", f"{32 * warps},1,1")
