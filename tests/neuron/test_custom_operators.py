"""C++ custom operators: the rendered files are compiled, loaded and run with the stand-in.

The library is built once, in `generated/lib`, and reused by the next run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
SHIM = ROOT / "tests" / "neuron_shim"
LIBRARY = "generated.neuron.generated_neuron"


def start(script: str, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """Start a script of this folder in a process whose path includes ninja."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.Popen(
        [sys.executable, str(HERE / script), *arguments],
        cwd=ROOT,
        env={**os.environ, "PATH": path, "MAX_JOBS": "1", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def printed(process: subprocess.Popen[str]) -> str:
    out, errors = process.communicate()
    assert process.returncode == 0, out + errors
    return out


@pytest.fixture(scope="session")
def built() -> tuple[str, str]:
    """Return the output of both builds for all samples: the library, and its CPU version.

    The CPU version uses the stand-in's smaller torch/torch.h, which saves 15 s.
    """
    library = start("operators.py", f"{LIBRARY}.build", "generated_neuron")
    arguments = f"{LIBRARY}.cpu.build", "generated_neuron_cpu"
    twin = start("operators.py", *arguments, CPATH=str(SHIM / "host"))
    return printed(library), printed(twin)


def test_shape_functions_and_kernels_agree_on_every_sample(built: tuple) -> None:
    found = re.fullmatch(r"3 operators, (\d+) cases, (\d+) refused\n", built[0])
    assert found and int(found[1]) > 20 and int(found[2]) > 3, "f64 and scalars"


def test_another_process_loads_what_was_built(built: tuple) -> None:
    again = start("operators.py", f"{LIBRARY}.my_ops", "generated_neuron")
    assert printed(again) == built[0]


def test_the_twin_accepts_and_computes_the_same(built: tuple) -> None:
    assert built[1] == built[0]


def test_a_model_moves_by_one_import(built: tuple) -> None:
    modules = [f"{LIBRARY}.my_ops", f"{LIBRARY}.cpu.my_ops"]
    rows = [line.split() for line in printed(start("digits.py", *modules)).splitlines()]
    native, *others = (float(loss) for loss, _ in rows)
    assert others == pytest.approx([native, native], rel=5e-5)
    assert all(float(accuracy) > 0.9 for _, accuracy in rows)


def test_without_a_library_one_sentence_says_what_to_run() -> None:
    from generated.neuron._checks import find

    with pytest.raises(ImportError, match="nothing.so is missing: run the `build.py`"):
        find("nothing", "nothing.so")
