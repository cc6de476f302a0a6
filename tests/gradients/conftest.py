"""Fixtures: a small project with its own kernels, built once for all tests of this folder."""

from __future__ import annotations

import ctypes
import importlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.building import built

PROJECT = Path(__file__).parent / "project"
NAME = "chosen"


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The built package `chosen`, with the modules `chosen.torch` and `chosen.jax`."""
    targets = ("core", "cpp", "torch", "jax")
    return built(PROJECT, NAME, tmp_path_factory.mktemp(NAME), targets)


@pytest.fixture
def torch_ops(package: ModuleType) -> ModuleType:
    return importlib.import_module(f"{NAME}.torch")


@pytest.fixture
def jax_ops(package: ModuleType) -> ModuleType:
    return importlib.import_module(f"{NAME}.jax")


@pytest.fixture
def written(package: ModuleType) -> Callable[[], str]:
    """Return a function that returns the kernels' log since its last call.

    The log has one letter for each result that a kernel wrote.
    """
    importlib.import_module(f"{NAME}.torch")
    maps = Path("/proc/self/maps").read_text().split()
    (path,) = {each for each in maps if f"lib{NAME}_kernels-" in each}
    take = ctypes.CDLL(path).take_log
    take.restype = ctypes.c_char_p
    take()
    return lambda: take().decode()
