"""Where PyTorch, JAX, pybind11 and Python keep their headers; imports none of them."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, replace

# Run by the Python whose frameworks are asked for, in a process of its own: nothing of the
# project is on its path, so that a folder called `torch` is not taken for PyTorch.
_PROBE = """
import importlib.metadata, importlib.util, json, os, sysconfig

def folder(package, *below):
    spec = importlib.util.find_spec(package)
    places = spec.submodule_search_locations if spec else None
    path = os.path.join(list(places)[0], *below) if places else ""
    return path if os.path.isdir(path) else ""

def version(package, found):
    return importlib.metadata.version(package) if found else ""

torch, jax = folder("torch", "include"), folder("jaxlib", "include")
python = sysconfig.get_path("include")
python = python if os.path.isfile(os.path.join(python, "Python.h")) else ""
print(json.dumps({
    "torch_include": torch,
    "torch_lib": folder("torch", "lib"),
    "torch_version": version("torch", torch),
    "jax_include": jax,
    "jax_version": version("jaxlib", jax),
    "pybind11_include": folder("pybind11", "include") if python else "",
    "python_include": python,
    "python_suffix": sysconfig.get_config_var("EXT_SUFFIX") or ".so",
}))
"""


@dataclass(frozen=True, slots=True)
class Frameworks:
    """Folders and versions; empty for what is not installed."""

    torch_include: str
    torch_lib: str
    torch_version: str
    jax_include: str
    jax_version: str
    pybind11_include: str
    python_include: str
    python_suffix: str

    @property
    def missing(self) -> tuple[str, ...]:
        """What is not installed, by name."""
        found = {
            "PyTorch": self.torch_include,
            "JAX": self.jax_include,
            "pybind11": self.pybind11_include,
        }
        return tuple(name for name, folder in found.items() if not folder)

    @property
    def torch_alone(self) -> Frameworks:
        """Without JAX, and without the bindings, which PyTorch does not need."""
        return replace(self, jax_include="", jax_version="", pybind11_include="")


def find_frameworks() -> Frameworks:
    """Ask the running Python's environment."""
    command = [sys.executable, "-P", "-c", _PROBE]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    return Frameworks(**json.loads(answer.stdout))
