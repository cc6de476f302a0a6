"""A small project whose sizes a Python function computes, built once for this folder."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

from opgen.build import build
from opgen.config import Config
from opgen.pipeline import load
from opgen.render import render
from opgen.write import write

PROJECT = Path(__file__).parent / "project"
NAME = "padded"


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The project as a package: `padded.torch`, `padded.jax`."""
    folder = tmp_path_factory.mktemp(NAME)
    config = Config(
        folder,
        out=NAME,
        package=NAME,
        namespace=NAME,
        targets=("core", "cpp", "torch", "jax", "tests"),
        kernels=str(PROJECT / "kernels"),
    )
    project, found, _ = load(sorted((PROJECT / "specs").glob("*.toml")), config)
    assert project is not None and not found, [f.message for f in found]
    write(render(project, config.targets), config.out_dir, force=True)
    build(config, config.out_dir)
    sys.path.insert(0, str(folder))
    return importlib.import_module(NAME)


@pytest.fixture
def torch_ops(package: ModuleType) -> ModuleType:
    return importlib.import_module(f"{NAME}.torch")


@pytest.fixture
def jax_ops(package: ModuleType) -> ModuleType:
    return importlib.import_module(f"{NAME}.jax")
