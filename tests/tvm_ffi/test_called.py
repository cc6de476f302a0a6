"""Functions of tvm-ffi as kernels: they get tensors by DLPack and plain numbers, without Python."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from opgen.build.cmake import build
from opgen.build.frameworks import find_frameworks
from opgen.cli.main import main
from opgen.spec.config import Config

tvm_ffi = pytest.importorskip("tvm_ffi")
HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def ops(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """Return `tvm_ops.jax`, whose kernels are in a library that was built separately."""
    folder = tmp_path_factory.mktemp("tvm_ffi") / "project"
    shutil.copytree(HERE / "project", folder)
    library = folder / "kernels" / "foreign" / "libscaled.so"
    library.parent.mkdir(parents=True, exist_ok=True)
    root = Path(tvm_ffi.__file__).parent
    command = ["c++", "-std=c++17", "-O1", "-shared", "-fPIC", str(HERE / "scaled.cc")]
    command += [f"-I{root / 'include'}", f"-L{root / 'lib'}", "-ltvm_ffi", "-o", str(library)]
    subprocess.run([*command, "-Wl,-soname,libscaled.so"], check=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["render", "specs"]) == 0
        config = Config(folder, package="tvm_ops", namespace="tvm_ops")
        frameworks = replace(find_frameworks(), torch_include="", pybind11_include="")
        build(config, folder / "tvm_ops", frameworks=frameworks)
        patch.syspath_prepend(str(folder))
        yield importlib.import_module("tvm_ops.jax")


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("shape", [(3, 5, 7), (33,), (0, 4)], ids=str)
def test_values(ops: ModuleType, shape: tuple[int, ...], dtype: str) -> None:
    x = jnp.asarray(np.random.default_rng(0).normal(size=shape), dtype)
    bias = jnp.arange(shape[-1], dtype=jnp.float32)
    wide = x.astype(jnp.float32)
    pairs = (
        (ops.scaled(x), wide * 2),
        (jax.jit(ops.scaled)(x, bias), wide * 2 + bias),
        (ops.scaled(x, by=0.5, negate=True), wide * -0.5),
    )
    for found, wanted in pairs:
        assert found.dtype == x.dtype
        np.testing.assert_array_equal(found, wanted.astype(dtype))


def test_the_order_of_the_spec(ops: ModuleType) -> None:
    np.testing.assert_array_equal(ops.doubled(jnp.arange(5.0), by=3), np.arange(5.0) * 3)


def test_gradient_and_vmap_are_those_of_the_spec(ops: ModuleType) -> None:
    x = jnp.ones((2, 3, 4))
    np.testing.assert_array_equal(jax.vmap(ops.scaled)(x), x * 2)
    np.testing.assert_array_equal(jax.grad(lambda x: ops.scaled(x, by=3.0).sum())(x), x * 3)


def test_what_it_raises_is_said(ops: ModuleType) -> None:
    for _ in range(2):
        with pytest.raises(Exception, match="scaled: by is 0, and x would be lost"):
            jax.block_until_ready(ops.scaled(jnp.ones(3), by=0.0))


def test_the_entry_calls_the_function(ops: ModuleType) -> None:
    entries = Path(ops.__file__).parents[1] / "cpp" / "scaled_cpu.cpp"
    assert '__asm__("__tvm_ffi_scaled")' in entries.read_text()


def test_without_tvm_ffi_the_import_says_what_to_do(ops: ModuleType) -> None:
    folder = Path(ops.__file__).parents[2]
    hidden = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
    command = [sys.executable, "-c", "import tvm_ops.jax"]
    done = subprocess.run(command, cwd=folder, env=hidden, capture_output=True, text=True)
    assert done.returncode != 0
    assert "`import tvm_ffi` first" in done.stderr.splitlines()[-1]
