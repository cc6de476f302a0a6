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
    """Runners of kernels: ours over NumPy, or AWS Neuron's simulator."""
    if request.param == "simulator":
        if not INSTALLED:
            pytest.skip("the package nki is not installed")
        yield importlib.import_module("nki")
        return
    if INSTALLED:
        pytest.skip("the package nki is installed")
    monkeypatch.syspath_prepend(str(SHIM))
    yield importlib.import_module("nki")
    for name in ("nki", "nki.isa", "nki.language"):
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


@pytest.mark.parametrize("shape", [(128, 66), (2, 192, 4), (128, 2 * 2500)])
def test_silu_and_mul(nki: ModuleType, shape: tuple) -> None:
    x = normal(*shape)
    y = nki.simulate(kernel("nki_silu_and_mul")[int(np.prod(shape[:-1])) // 128])(x)
    gate, up = np.split(x.astype(np.float64), 2, axis=-1)
    np.testing.assert_allclose(y, gate / (1 + np.exp(-gate)) * up, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("batch, c", [((2, 128), 33), ((128,), 2 * 2048 + 5)])
def test_cross_entropy(
    nki: ModuleType, batch: tuple, c: int, reduction: str, smoothing: float
) -> None:
    z = 10 * normal(*batch, c)
    z[..., 3, :2] = 50, 50  # two are the largest
    z[..., 4, 2:] = -np.inf
    labels = np.random.default_rng(1).integers(0, c, batch).astype(np.int32)
    labels[..., 4] = 1
    labels[..., 5:9] = -100
    given = nki.simulate(kernel("nki_cross_entropy")[1])(z, labels, -100, smoothing, reduction)
    counts, exact = labels != -100, z.astype(np.float64)
    top = exact.max(-1)
    below = top[..., None] - exact
    terms = np.sort(np.exp(-below), -1)[..., ::-1]
    rest = terms[..., 1:].sum(-1)
    missed = np.take_along_axis(below, np.where(counts, labels, 0)[..., None], -1)[..., 0]
    loss = np.log1p(rest) + (1 - smoothing) * missed
    loss = np.where(counts, loss + (smoothing * below.mean(-1) if smoothing else 0.0), 0.0)
    wanted = {"none": loss, "sum": loss.sum(), "mean": loss.sum() / counts.sum()}[reduction]
    np.testing.assert_allclose(given[0], wanted, rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(given[1], top)
    np.testing.assert_allclose(given[2], rest, rtol=1e-5)
    assert len(given) == 3 + (reduction == "mean") and given[0].shape == np.shape(wanted)
    if reduction == "mean":
        assert given[3] == counts.sum()


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
