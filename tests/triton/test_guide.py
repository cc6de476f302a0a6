"""The steps of docs/triton.md work from an empty folder, and so does examples/triton."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "triton.md").read_text()
FILES = re.findall(r"^```\w+ (\S+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
(COMMANDS,) = re.findall(r"^```\n(opgen render\n.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def run(folder: Path, command: str) -> str:
    """Return the output of a command of the page, run with this Python and this checkout."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}"}
    done = subprocess.run(
        command, shell=True, cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


def test_from_an_empty_folder(tmp_path: Path) -> None:
    pytest.importorskip("triton", minversion="3.9")
    assert sum(len(text.splitlines()) for _, text in FILES) < 40
    for name, text in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    render, build, test = COMMANDS.splitlines()
    run(tmp_path, render)
    assert "kernels in Triton are compiled for compute capability 80, 90, 100" in run(
        tmp_path, build
    )
    said = run(tmp_path, f"{test} -k 'interpreted or fake or abstract' -rA")
    assert len(re.findall(r"^PASSED .*test_triton_interpreted", said, re.MULTILINE)) >= 4
    program = "import torch; from acme_ops.torch import softmax; x = torch.randn(3, 33).requires_grad_(); "
    program += (
        "y = softmax(x); torch.testing.assert_close(y, torch.softmax(x, -1)); y.sum().backward()"
    )
    run(tmp_path, f'python -m timeit -n1 -r1 "{program}"')


def test_the_examples_under_the_interpreter(tmp_path: Path) -> None:
    pytest.importorskip("triton", minversion="3.9")
    folder = tmp_path / "triton"
    ignored = shutil.ignore_patterns("triton_ops", "build", ".opgen", "__pycache__")
    shutil.copytree(ROOT / "examples" / "triton", folder, ignore=ignored)
    run(folder, "opgen render")
    said = run(folder, "python -m pytest triton_ops/tests -k interpreted -rA")
    ops = {
        "rms_norm",
        "rms_norm_dx",
        "rms_norm_dweight",
        "silu_and_mul",
        "cross_entropy",
        "dropout",
    }
    passed = re.findall(
        r"^PASSED .*test_ops\.py::(\w+)::test_triton_interpreted", said, re.MULTILINE
    )
    assert {*passed} == ops
