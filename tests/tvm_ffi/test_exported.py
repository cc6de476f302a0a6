"""The target `tvm_ffi` renders one module of tvm-ffi, which takes arrays of three libraries."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

from opgen.build.cmake import tool
from opgen.build.runtime_files import cmake_dir
from opgen.compiler.pipeline import load
from opgen.ir.project import Project
from opgen.output.render import render
from opgen.output.write import write
from opgen.spec.config import Config
from opgen.spec.extensions import builtin_targets, default_targets
from opgen.targets.tvm_ffi.render import lacks

PROJECT = Path(__file__).parents[1] / "judge" / "project"
TARGETS = ("core", "cpp", "tvm_ffi")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Path]:
    """Render the project of the judge's tests."""
    folder = tmp_path_factory.mktemp("exported")
    shutil.copytree(PROJECT, folder, dirs_exist_ok=True)
    config = Config(folder, out="judged", package="judged", namespace="judged", targets=TARGETS)
    found, mistakes, _ = load(sorted((folder / "specs").glob("*.toml")), config)
    assert found is not None, mistakes
    write(render(found, config.targets), config.out_dir, force=True)
    return found, folder


@pytest.fixture(scope="module")
def bend(project: tuple[Project, Path]) -> Iterator[Callable[..., None]]:
    """Compile the module by its CMakeLists.txt and return its function."""
    tvm_ffi = pytest.importorskip("tvm_ffi")
    folder = project[1]
    build = folder / "build"
    given = ["-G", "Ninja", f"-Dopgen_DIR={cmake_dir()}", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror"]
    source = ["-S", str(folder / "judged/tvm_ffi"), "-B", str(build)]
    subprocess.run([tool("cmake"), *source, *given], check=True, capture_output=True)
    subprocess.run([tool("cmake"), "--build", str(build)], check=True)
    yield tvm_ffi.load_module(str(build / "libjudged_tvm_ffi.so")).bend


def test_it_renders_on_demand_alone(project: tuple[Project, Path]) -> None:
    assert "tvm_ffi" in builtin_targets() and "tvm_ffi" not in default_targets()
    text = (project[1] / "judged/tvm_ffi/bend.cpp").read_text()
    assert "/// x, scale, y\n" in text and "int __tvm_ffi_bend(" in text


def test_an_op_that_is_left_out_has_a_reason() -> None:
    root = PROJECT.parents[2]
    config = Config(root, kernels="runtime/kernels")
    found, _, _ = load([root / "specs" / "rms_norm.toml"], config)
    assert found is not None and lacks(found.op("rms_norm")) == ""
    text = next(f.text for f in render(found, ["tvm_ffi"]) if f.path == "tvm_ffi/rms_norm.cpp")
    assert "// rms_norm_bwd is left out: its kernel needs workspace or a grid.\n" in text
    assert "__tvm_ffi_rms_norm_bwd(" not in text and "__tvm_ffi_rms_norm(" in text


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "make", [np.asarray, torch.from_numpy, jnp.asarray], ids=["numpy", "torch", "jax"]
)
def test_arrays_of_three_libraries(
    make: Callable[[Any], Any], dtype: str, bend: Callable[..., None]
) -> None:
    x = np.random.default_rng(0).normal(size=(3, 5)).astype(dtype)
    given = make(x)
    y = np.empty(x.shape, str(given.dtype).removeprefix("torch."))  # JAX has only f32 by default
    bend(given, 2.0, y)
    np.testing.assert_allclose(y, 2 * x / (1 + np.abs(x)), rtol=1e-5)
    bend(given, None, torch.from_numpy(y))  # the default, into a tensor of another library
    np.testing.assert_allclose(y, x / (1 + np.abs(x)), rtol=1e-5)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((torch.ones(3), 1.0), "bend: expected 3 arguments, got 2"),
        ((torch.ones(3), 1.0, torch.ones(4)), "bend: y: expected a result f32(3,), got f32(4,)"),
        ((torch.ones(3), "a", torch.ones(3)), "bend: scale: expected a number"),
        ((3, 1.0, torch.ones(3)), "bend: x: expected a tensor"),
        ((torch.ones(3, 4).T, 1.0, torch.ones(4, 3)), "bend: x: expected a row-major tensor"),
        ((torch.ones(3).int(), 1.0, torch.ones(3)), "bend: x: expected dtype f32 or f64, got i32"),
    ],
    ids=lambda value: value.partition(": ")[2][:24] if isinstance(value, str) else "",
)
def test_wrong_calls_are_refused(
    arguments: tuple[Any, ...], said: str, bend: Callable[..., None]
) -> None:
    with pytest.raises(ValueError) as caught:
        bend(*arguments)
    assert str(caught.value) == said
