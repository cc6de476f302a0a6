"""A fixture that compiles small C++ programs with the runtime's headers and runs them."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from opgen.build.runtime_files import include_dir

Run = Callable[..., str]


@pytest.fixture(scope="session")
def run_cpp(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return `run_cpp(source, *flags, given="")`, which compiles and runs a C++ program.

    The program reads `given` from its standard input. `run_cpp` returns its output.
    """
    compiler = os.environ.get("CXX") or shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")

    def run(source: str, *flags: str, given: str = "") -> str:
        folder: Path = tmp_path_factory.mktemp("cpp")
        (folder / "program.cpp").write_text(source)
        command = [compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-pthread"]
        command += [f"-I{include_dir()}", *flags, "program.cpp", "-o", "program"]
        built = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert built.returncode == 0, built.stderr[:4000]
        ran = subprocess.run(["./program"], cwd=folder, capture_output=True, text=True, input=given)
        assert ran.returncode == 0, ran.stderr[:4000]
        return ran.stdout

    return run
