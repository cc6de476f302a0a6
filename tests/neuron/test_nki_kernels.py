"""NKI kernels: byte-compiled, run over NumPy by the stand-in, and by `nki.simulate` itself
where that is installed."""

from __future__ import annotations

import importlib.util
import os
import py_compile
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
SHIM = ROOT / "tests" / "neuron_shim" / "python"
KERNELS = sorted((ROOT / "runtime" / "kernels").glob("*/nki_*.py"))
INSTALLED = importlib.util.find_spec("nki") is not None


@pytest.fixture(params=["stand-in", "simulator"])
def nki(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """What runs kernels: ours over NumPy, or AWS Neuron's simulator."""
    if request.param == "simulator":
        if not INSTALLED:
            pytest.skip("the package nki is not installed")
        yield importlib.import_module("nki")
        return
    if INSTALLED:
        pytest.skip("the package nki is installed")
    monkeypatch.syspath_prepend(str(SHIM))
    yield importlib.import_module("nki")
    for name in ("nki", "nki.language"):
        sys.modules.pop(name, None)


def kernel(name: str):
    (path,) = (p for p in KERNELS if p.stem == name)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def normal(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_compiles(path: Path, tmp_path: Path) -> None:
    py_compile.compile(str(path), str(tmp_path / "out.pyc"), doraise=True)


def test_tensor_add(nki: ModuleType) -> None:
    a, b = normal(256, 1024), normal(1024, 256).T.copy()
    c = nki.simulate(kernel("nki_tensor_add")[2, 2])(a, b)
    np.testing.assert_array_equal(c, a + b)


def test_a_grid_that_is_too_small_leaves_a_rest(nki: ModuleType) -> None:
    a = normal(256, 1024)
    c = nki.simulate(kernel("nki_tensor_add")[2, 1])(a, a)
    assert not np.isnan(c[:, :512]).any() and np.isnan(c[:, 512:]).all()


def test_relu(nki: ModuleType) -> None:
    x = normal(384, 120)
    y = nki.simulate(kernel("nki_relu")[3])(x)
    np.testing.assert_array_equal(y, np.maximum(x, 0))


@pytest.mark.parametrize("shape, norm", [((128, 64), (64,)), ((2, 128, 4, 33), (4, 33))])
def test_rms_norm(nki: ModuleType, shape: tuple, norm: tuple) -> None:
    x, weight, eps = normal(*shape), normal(*norm), 1e-5
    batch = shape[: len(shape) - len(norm)]
    grid = int(np.prod(batch)) // 128
    y, invvar = nki.simulate(kernel("nki_rms_norm")[grid])(x, weight, eps)
    axes = tuple(range(len(batch), len(shape)))
    wanted = 1 / np.sqrt((x.astype(np.float64) ** 2).mean(axes) + eps)
    np.testing.assert_allclose(invvar, wanted, rtol=1e-5)
    scale = wanted.reshape(batch + (1,) * len(norm))
    np.testing.assert_allclose(y, x * scale * weight, rtol=1e-4, atol=1e-6)


def test_type_checks() -> None:
    """Against the stand-in, which declares what `nki.language` offers."""
    pytest.importorskip("mypy", reason="mypy is not installed")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", f"--config-file={os.devnull}", "--check-untyped-defs"]
        + [*map(str, KERNELS)],
        env={**os.environ, "MYPYPATH": str(SHIM)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
