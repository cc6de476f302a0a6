"""Folders of the headers of PyTorch, JAX, pybind11 and Python; imports none of them."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, replace

from opgen.build.runtime_files import cmake_dir


@dataclass(frozen=True, slots=True)
class Frameworks:
    """Folders and versions; empty for what is not installed."""

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
        """Names of the frameworks that are not installed."""
        found = {
            "PyTorch": self.torch_include,
            "JAX": self.jax_include,
            "pybind11": self.pybind11_include,
        }
        return tuple(name for name, folder in found.items() if not folder)

    @property
    def torch_alone(self) -> Frameworks:
        """Without JAX, and without the bindings, which PyTorch does not need."""
        return replace(self, jax_include="", jax_version="", jax_ffi="", pybind11_include="")


def find_frameworks() -> Frameworks:
    """Ask the running Python's environment, in a separate process."""
    command = [sys.executable, "-P", str(cmake_dir() / "find_frameworks.py")]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    return Frameworks(**json.loads(answer.stdout))
