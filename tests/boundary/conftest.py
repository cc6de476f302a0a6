"""Fixtures: a project that tests calls from frameworks to kernels, built like a user's project."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.boundary.tables import write_table

PROJECT = Path(__file__).parent / "project"
STRANGER = Path(__file__).parent / "stranger.c"


def opgen(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run `opgen` in the folder `cwd`, and return the completed process."""
    command = [sys.executable, "-m", "opgen", *arguments]
    checkout = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, (checkout, os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the rendered and built project."""
    if shutil.which("cmake") is None and not (Path(sys.executable).parent / "cmake").exists():
        pytest.skip("there is no CMake")
    folder = tmp_path_factory.mktemp("boundary") / "project"
    shutil.copytree(PROJECT, folder)
    library = folder / "kernels" / "foreign" / "libstranger.so"
    compiler = os.environ.get("CC") or shutil.which("cc") or "cc"
    command = [compiler, "-O1", "-shared", "-fPIC", "-Wl,-soname,libstranger.so.2"]
    subprocess.run([*command, str(STRANGER), "-o", str(library)], check=True)
    write_table(folder)
    write_table(folder, "Another Processor")
    for command in (("render", "specs/"), ("build",)):
        done = opgen(*command, cwd=folder)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return folder


@pytest.fixture(scope="session")
def boundary(project: Path) -> Iterator[ModuleType]:
    """The rendered package `boundary`."""
    sys.path.insert(0, str(project))
    try:
        yield importlib.import_module("boundary")
    finally:
        sys.path.remove(str(project))
