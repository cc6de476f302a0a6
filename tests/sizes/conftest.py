"""Fixture: a small project with sizes that Python functions compute, built once for this folder.

Its package imports opgen-runtime instead of a copy in `_opgen/`.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

from tests.building import built

PROJECT = Path(__file__).parent / "project"
NAME = "padded"


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """Build the project and return the package, which has `padded.torch` and `padded.jax`."""
    targets = ("core", "cpp", "torch", "jax", "tests")
    return built(PROJECT, NAME, tmp_path_factory.mktemp(NAME), targets, "package")


@pytest.fixture
def torch_ops(package: ModuleType) -> ModuleType:
    return importlib.import_module(f"{NAME}.torch")


@pytest.fixture
def jax_ops(package: ModuleType) -> ModuleType:
    return importlib.import_module(f"{NAME}.jax")
