"""Render specs that a test defines, and import the result.

Their kernels are `else = "reference"`, so that the reference runs in place of a kernel.
"""

from __future__ import annotations

import importlib
import itertools
import sys
from pathlib import Path
from types import ModuleType

from opgen.compiler.pipeline import load
from opgen.output.render import render
from opgen.spec.config import load_config

_numbers = itertools.count()


def package(folder: Path, spec: str, reference: str) -> ModuleType:
    """Return the module of rendered JAX ops for one spec, with its references in `ops.py`."""
    name = f"rendered{next(_numbers)}"
    (folder / "specs").mkdir()
    (folder / "pyproject.toml").write_text(f'[tool.opgen]\nnamespace = "{name}"\n')
    (folder / "specs/ops.toml").write_text(spec)
    (folder / "specs/ops.py").write_text(reference)
    config, _, _ = load_config(folder)
    project, found, _ = load([folder / "specs/ops.toml"], config)
    assert project is not None, [str(f) for f in found]
    for file in render(project, ["core", "jax"]):
        path = folder / name / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module(f"{name}.jax")
    finally:
        sys.path.remove(str(folder))
