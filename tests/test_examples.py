"""The programs of `examples/language` run, each in a separate process."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples" / "language"
PROGRAMS = sorted(path.name for path in EXAMPLES.glob("*.py"))


def run(folder: Path, *command: str) -> None:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}"}
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the examples, rendered and built."""
    folder = tmp_path_factory.mktemp("examples") / "language"
    ignored = shutil.ignore_patterns("language_ops", "build", ".opgen", "__pycache__")
    shutil.copytree(EXAMPLES, folder, ignore=ignored)
    run(folder, "-m", "opgen", "render")
    run(folder, "-m", "opgen", "build")
    return folder


@pytest.mark.parametrize("program", PROGRAMS)
def test_program_runs(project: Path, program: str) -> None:
    run(project, program)


def test_the_random_words_of_the_reference_are_those_of_the_kernel(project: Path) -> None:
    run(project, "-m", "pytest", "-q", "-p", "no:xdist", "language_ops/tests/test_ops.py::masked")


NO_DEFAULT = """
import jax.numpy as jnp, torch
import language_ops.jax, language_ops.torch
for ops, ones in ((language_ops.torch, torch.ones), (language_ops.jax, jnp.ones)):
    try:
        ops.squash(ones((3, 0)), ones(()))
    except ValueError as refused:
        assert "squash: 0.0 cannot be raised" in str(refused), refused
    else:
        raise AssertionError("0 has no square root to divide by")
"""


def test_a_default_that_has_no_value_is_refused(project: Path) -> None:
    """A default `scale` of `d**-0.5` is refused if `d` is 0."""
    run(project, "-c", NO_DEFAULT)


def test_the_table_names_every_program() -> None:
    table = re.findall(r"^\| `(\w+\.py)`", (EXAMPLES / "README.md").read_text(), re.M)
    assert sorted(table) == PROGRAMS
