"""Calls of a kernel's entry function on a fake GPU, in a separate process."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from opgen.build.triton_compiler import Task, compile_task
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


def rendered_core(project: Path, package: str) -> Any:
    """Import the rendered `core` of a project."""
    sys.path.insert(0, str(project))
    try:
        return importlib.import_module(f"{package}.core")
    finally:
        sys.path.remove(str(project))


def call_entry(library: Path, given: dict[str, Any], driver: Path, log: Path, **false: str) -> Run:
    """Call an entry function, and return its status and the calls of the fake driver.

    `given` is the argument of `entry.py`, `driver` the folder of the fake driver, and `false` the
    settings of the fake GPU.
    """
    environment = {**os.environ, "LD_LIBRARY_PATH": str(driver), "FALSE_GPU_LOG": str(log)}
    environment |= {f"FALSE_GPU_{name.upper()}": value for name, value in false.items()}
    command = [sys.executable, str(ENTRY), str(library), json.dumps(given)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = [line.split() for line in log.read_text().splitlines()] if log.exists() else []
    images = [Path(line[1]).read_bytes() for line in said if line[0] == "load"]
    return Run(json.loads(done.stdout), said, images)


def call_scaled(
    project: Path,
    *,
    driver: Path,
    log: Path,
    platform: str,
    function: str,
    arch: str,
    rows: int = 3,
    d: int = 16,
    dtype: str = "bf16",
    kernel: int = 0,
    biased: bool = False,
    x: int = X,
    device: int = 2,
    times: int = 1,
) -> Run:
    """Call the op `scaled`, with the Triton kernel `function`."""
    code = DTYPES[dtype].code
    fields = {"batch": rows, "batch_rank": 1, "d": d, "by": 0.5, "negate": 1, "T": code}
    given = {
        "entry": f"scaled_ops_scaled_{platform}",
        "descriptor": rendered_core(project, "scaled_ops").scaled.pack(**fields).hex(),
        "buffers": [
            (Y, [rows, d], code),
            (x, [rows, d], code),
            (KEPT, [rows], DTYPES["bool"].code),
            (BIAS if biased else 0, [d], DTYPES["f32"].code),
        ],
        "context": {"stream": STREAM, "device": device, "kernel": kernel},
        "grid": (rows, -(-d // 128) if function == "anyhow" else 1, 1),
        "times": times,
    }
    told = {"arch": arch, "parameters": PARAMETERS[function]}
    return call_entry(library_of(project), given, driver, log, **told)


def library_of(project: Path) -> Path:
    """Return the project's library of kernels for GPUs."""
    (library,) = (project / "scaled_ops" / "lib").rglob("libscaled_ops_gpus-*.so")
    return library


def compiled(project: Path, function: str, target: str, **wanted: Any) -> Any:
    """Compile a variant of a kernel for a target such as `cuda:80`.

    The project's library should contain the same code. `wanted` is a part of `_facts` that selects
    the variant.
    """
    listed = json.loads((project / "scaled_ops" / "cpp" / "scaled_triton.json").read_text())
    platform = target.partition(":")[0]
    (kernel,) = (
        k for k in listed["kernels"] if (k["platform"], k["function"]) == (platform, function)
    )
    (variant,) = (v for v in kernel["variants"] if wanted.items() <= _facts(v).items())
    done = compile_task(Task.of(kernel, variant, project / "kernels", target))
    assert not done.error
    return done


def _facts(variant: dict[str, Any]) -> dict[str, Any]:
    """Return the properties in which variants differ. `x` is the Triton type of the argument x."""
    return {
        "constants": variant["constants"],
        "x": variant["signature"].get("x"),
        "aligned": bool(variant["multiples_of_16"]),
        "num_warps": variant.get("num_warps"),
    }


def parameters_as_written(given: bytes, sizes: Sequence[tuple[int, int]]) -> list[str]:
    """Return parameters at these offsets and with these sizes, in the notation of the fake GPU."""
    return [given[at : at + size].hex() for at, size in sizes]
