"""C++ custom operators: what is rendered is compiled, loaded and run against the stand-in.

The library is built once, into `generated/lib`, and found there by the next run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
SHIM = ROOT / "tests" / "neuron_shim"
LIBRARY = "generated.neuron.generated_neuron"


def run(script: str, *arguments: str, **environment: str) -> str:
    """What a script of this folder prints, in a process of its own."""
    done = subprocess.run(
        [sys.executable, str(HERE / script), *arguments],
        cwd=ROOT,
        env={**os.environ, "MAX_JOBS": "2", **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def loaded() -> str:
    """`load()`: the library is built, checked, and left for others to load."""
    return run("operators.py", f"{LIBRARY}.build", "generated_neuron")


@pytest.fixture(scope="session")
def twin() -> str:
    """The CPU twin, built against the stand-in's smaller torch/torch.h: that saves 15 s."""
    return run(
        "operators.py",
        f"{LIBRARY}.cpu.build",
        "generated_neuron_cpu",
        CPATH=str(SHIM / "host"),
    )


def test_shape_functions_and_kernels_agree_on_every_sample(loaded: str) -> None:
    assert loaded == "3 operators, 34 cases, 6 refused\n"


def test_another_process_loads_what_was_built(loaded: str) -> None:
    again = run("operators.py", f"{LIBRARY}.my_ops", "generated_neuron")
    assert again == loaded


def test_the_twin_accepts_and_computes_the_same(loaded: str, twin: str) -> None:
    assert twin == loaded


def test_a_model_moves_by_one_import(loaded: str, twin: str) -> None:
    modules = [f"{LIBRARY}.my_ops", f"{LIBRARY}.cpu.my_ops"]
    rows = [line.split() for line in run("digits.py", *modules).splitlines()]
    native, *others = (float(loss) for loss, _ in rows)
    assert others == pytest.approx([native, native], rel=5e-5)
    assert all(float(accuracy) > 0.9 for _, accuracy in rows)


def test_without_a_library_one_sentence_says_what_to_run() -> None:
    from generated.neuron._checks import find

    with pytest.raises(ImportError, match="nothing.so is missing: run the `build.py`"):
        find("nothing", "nothing.so")
