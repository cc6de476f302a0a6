"""Rendered tests run with strict warnings, and with only one framework installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
# Python imports this at startup. It hides a framework, as if it were not installed.
HIDE = """
import functools
import importlib.machinery as machinery

real = machinery.PathFinder.find_spec


def find_spec(name, path=None, target=None):
    return None if name.partition(".")[0] == "{name}" else real(name, path, target)


machinery.PathFinder.find_spec = functools.partial(find_spec)
"""


def run(*arguments: str, path: Path | None = None) -> subprocess.CompletedProcess:
    environment = dict(os.environ)
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist"]
    return subprocess.run(
        [*command, "-c", os.devnull, "--rootdir", str(ROOT), "--import-mode=importlib", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )


def test_they_are_collected_under_strict_settings() -> None:
    done = run(
        "--collect-only",
        "-q",
        "--strict-markers",
        "-W",
        "error::pytest.PytestWarning",
        "generated/tests/test_ops.py::relu",
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("missing", ["torch", "jax"])
def test_they_run_with_one_framework(missing: str, tmp_path: Path) -> None:
    pytest.importorskip("torch"), pytest.importorskip("jax")
    (tmp_path / "sitecustomize.py").write_text(HIDE.format(name=missing))
    done = run(
        "-q",
        "-rs",
        "-k",
        "values or gradients or inferred or agree or hostile",
        "generated/tests/test_ops.py::relu",
        path=tmp_path,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    assert f"{missing} is not installed" in done.stdout
    assert " passed" in done.stdout
