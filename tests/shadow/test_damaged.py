"""Damaged, incomplete and foreign libraries give a clear message without a traceback of opgen."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.shadow.conftest import environment

pytestmark = pytest.mark.slow

TORCH = "import torch; from shadowed.torch import planted; planted(torch.ones(2, 3)); print('ran')"
JAX = "import numpy; from shadowed.jax import planted; planted(numpy.ones(2, 'f4')); print('ran')"


def text(path: Path) -> None:
    path.write_text("no library\n")


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def foreign(path: Path) -> None:
    """Replace a library by one without the expected symbols."""
    kernels = next(path.parent.glob("lib*_kernels-*.so"))
    path.unlink()
    shutil.copy(kernels, path)


def binary(path: Path) -> None:
    path.write_bytes(bytes(range(256)))


def other_json(path: Path) -> None:
    path.write_text('["ffi"]')


ROWS = [
    (TORCH, "lib*_torch-*.so", text, "ImportError: {path}: file too short: run `opgen build`"),
    (TORCH, "lib*_torch-*.so", folder, "ImportError: {path} is missing: run `opgen build`"),
    (
        TORCH,
        "lib*_torch-*.so",
        foreign,
        "ImportError: {path} does not have the op _made_with: run `opgen build`",
    ),
    (TORCH, "lib*_autograd-*.so", text, ""),
    (TORCH, "lib*_autograd-*.so", folder, ""),
    (TORCH, "lib*_autograd-*.so", foreign, ""),
    (TORCH, "lib*_eager-*.so", text, ""),
    (TORCH, "lib*_eager-*.so", foreign, ""),
    (JAX, "lib*_jax-*.so", text, "ImportError: {path}: file too short: run `opgen build`"),
    (JAX, "lib*_jax-*.so", folder, "ImportError: {path} is missing: run `opgen build`"),
    (JAX, "BUILD.json", text, ""),
    (JAX, "BUILD.json", binary, ""),
    (JAX, "BUILD.json", other_json, ""),
]


@pytest.mark.parametrize(("program", "name", "damage", "said"), ROWS)
def test_a_damaged_library(
    program: str,
    name: str,
    damage: Callable[[Path], None],
    said: str,
    package: Path,
    tmp_path: Path,
) -> None:
    """The program runs without the damaged library."""
    shutil.copytree(package / "shadowed", tmp_path / "shadowed")
    (path,) = (tmp_path / "shadowed" / "lib").glob(name)
    damage(path)
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(tmp_path), capture_output=True, text=True
    )
    if said:
        assert done.returncode == 1 and done.stderr.splitlines()[-1] == said.format(path=path)
    else:
        assert done.returncode == 0 and done.stdout == "ran\n", done.stderr
