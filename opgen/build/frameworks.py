"""Find the header folders of PyTorch, JAX, pybind11 and Python without importing these packages."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

from opgen.build.runtime_files import cmake_dir
from opgen.source.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Frameworks:
    """Header folders and versions of packages.

    Empty values mean that a package is not installed.
    """

    torch_include: str
    torch_lib: str
    torch_version: str
    jax_include: str
    jax_version: str
    jax_ffi: str
    pybind11_include: str
    python_include: str
    python_suffix: str
    torch_rocm: str = ""

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the names of the frameworks that are not installed."""
        found = {
            "PyTorch": self.torch_include,
            "JAX": self.jax_include,
            "pybind11": self.pybind11_include,
        }
        return tuple(name for name, folder in found.items() if not folder)

    @property
    def torch_alone(self) -> Frameworks:
        """Return a copy without JAX and pybind11, which the libraries for PyTorch do not need."""
        return replace(self, jax_include="", jax_version="", jax_ffi="", pybind11_include="")


def find_frameworks() -> Frameworks:
    """Find the packages that the running Python can import. A separate process does the search."""
    command = [sys.executable, "-P", str(cmake_dir() / "find_frameworks.py")]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    return Frameworks(**json.loads(answer.stdout))
