"""Fixtures: a package with kernels that are wrong on request, and programs that shadow them.

A shadowed call also runs the op's reference, and compares the results.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.building import built

PROJECT = Path(__file__).parent / "project"
HEAD = """
import json, logging
said = []
handler = logging.Handler()
handler.emit = lambda record: said.append(record.getMessage())
logging.getLogger("shadowed.shadow").addHandler(handler)
"""
FRAMEWORKS = {
    "torch": """
import torch
from shadowed.torch import planted, planted_
def flush(): pass
""",
    "jax": """
import jax, jax.numpy as jnp
from shadowed.jax import planted, planted_
from shadowed._opgen.debug.jax import flush
""",
}
TAIL = """
flush()
from shadowed._opgen.debug import shadow as _shadow
print(json.dumps({"said": said, "checked": _shadow.checked()}))
"""


@dataclass(frozen=True)
class Ran:
    """The outcome of a program."""

    said: list[str]
    checked: dict[str, int]
    files: list[Path]


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the package as a separate project and return its folder."""
    folder = tmp_path_factory.mktemp("shadow")
    built(PROJECT, "shadowed", folder, ("core", "cpp", "torch", "jax"))
    (folder / "pyproject.toml").write_text((PROJECT / "pyproject.toml").read_text())
    return folder


def environment(package: Path, **more: str) -> dict[str, str]:
    path = os.pathsep.join((str(package), str(Path(__file__).parents[2])))
    return {**os.environ, "PYTHONPATH": path, **more}


@pytest.fixture
def run(package: Path, tmp_path: Path) -> Callable[..., Ran]:
    """Return a function that runs a program in a framework, with the op `planted` shadowed."""

    def ran(framework: str, program: str, **variables: str) -> Ran:
        folder = Path(variables.setdefault("OPGEN_SHADOW_DIR", str(tmp_path / "replays")))
        variables.setdefault("OPGEN_SHADOW", "*:1")
        text = HEAD + FRAMEWORKS[framework] + program + TAIL
        command = [sys.executable, "-c", text]
        done = subprocess.run(
            command, env=environment(package, **variables), capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return Ran(**found, files=sorted(folder.glob("*.replay")) if folder.is_dir() else [])

    return ran


@pytest.fixture
def replayed(package: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return a function that runs `opgen replay` for a file."""

    def again(file: Path, *options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "opgen", "replay", str(file), *options]
        return subprocess.run(
            command, cwd=package, env=environment(package), capture_output=True, text=True
        )

    return again
