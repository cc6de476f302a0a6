"""Fixtures: a project of ops over narrow dtypes, with kernels that show each bit of their inputs."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from tests.building import built

PROJECT = Path(__file__).parent / "project"
NAME = "number_types"


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    targets = ("core", "cpp", "torch", "jax")
    return built(PROJECT, NAME, tmp_path_factory.mktemp(NAME), targets)


@pytest.fixture(scope="session")
def torch_ops(package: ModuleType) -> ModuleType:
    pytest.importorskip("torch")
    import number_types.torch

    return number_types.torch


@pytest.fixture(scope="session")
def jax_ops(package: ModuleType) -> ModuleType:
    pytest.importorskip("jax")
    import number_types.jax

    return number_types.jax
