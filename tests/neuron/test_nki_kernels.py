"""NKI kernels on one and two programs, over NumPy by the stand-in for `nki`.

The stand-in refuses what the hardware refuses. If `nki` is installed, `nki.simulate` is used
instead. test_device.py compares all kernels with those for the CPU, on the device.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
SHIM = ROOT / "tests" / "neuron_shim" / "python"
KERNELS = sorted((ROOT / "runtime" / "kernels").glob("*/nki_*.py"))
INSTALLED = importlib.util.find_spec("nki") is not None


@pytest.fixture(params=["stand-in", "simulator"])
def nki(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Return the package `nki`: the stand-in over NumPy, or AWS Neuron's with its simulator."""
    if (request.param == "simulator") != INSTALLED:
        pytest.skip(f"the package nki is {'' if INSTALLED else 'not '}installed")
    if not INSTALLED:
        monkeypatch.syspath_prepend(str(SHIM))
    yield importlib.import_module("nki")
    if not INSTALLED:
        for name in ("nki", "nki.isa", "nki.language"):
            sys.modules.pop(name, None)


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def kernel(name: str, file: str = "") -> Any:
    (path,) = (p for p in KERNELS if p.stem == (file or name))
    return getattr(load(path), name)


def normal(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("lnc", [1, 2])
def test_tensor_add(nki: ModuleType, lnc: int) -> None:
    a, b = normal(384, 1024), normal(1024, 384).T.copy()
    c = nki.simulate(kernel("nki_tensor_add")[lnc])(a, b)
    np.testing.assert_array_equal(c, a + b)


@pytest.mark.parametrize("lnc", [1, 2])
@pytest.mark.parametrize("shape", [(1,), (300, 7), (2, 129, 2100)])
def test_relu(nki: ModuleType, lnc: int, shape: tuple) -> None:
    x, dy = normal(*shape), normal(*shape) + 1
    y = nki.simulate(kernel("nki_relu")[lnc])(x)
    np.testing.assert_array_equal(y, np.maximum(x, 0))
    dx = nki.simulate(kernel("nki_relu_bwd", "nki_relu")[lnc])(dy, y)
    np.testing.assert_array_equal(dx, np.where(y <= 0, 0, dy))


@pytest.mark.parametrize("lnc", [1, 2])
@pytest.mark.parametrize("shape, norm", [((3, 64), (64,)), ((2, 150, 4, 333), (4, 333))])
def test_rms_norm(nki: ModuleType, lnc: int, shape: tuple, norm: tuple) -> None:
    x, weight, dy, eps = normal(*shape), normal(*norm), normal(*shape) + 1, 1e-5
    y, invvar = nki.simulate(kernel("nki_rms_norm")[lnc])(x, weight, eps)
    batch = shape[: len(shape) - len(norm)]
    axes = tuple(range(len(batch), len(shape)))
    wanted = 1 / np.sqrt((x.astype(np.float64) ** 2).mean(axes) + eps)
    np.testing.assert_allclose(invvar.reshape(batch), wanted, rtol=1e-5)
    scale = wanted.reshape(batch + (1,) * len(norm))
    h = x * scale
    np.testing.assert_allclose(y, h * weight, rtol=1e-4, atol=1e-6)
    backward = kernel("nki_rms_norm_bwd", "nki_rms_norm")[lnc]
    dx, dweight = nki.simulate(backward)(dy, invvar, x, weight, eps)
    mean = (dy * weight * h).mean(axes, keepdims=True)
    np.testing.assert_allclose(dx, scale * (dy * weight - h * mean), rtol=1e-4, atol=1e-5)
    wanted = (dy * h).sum(tuple(range(len(batch))))
    np.testing.assert_allclose(dweight, wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("lnc", [1, 2])
@pytest.mark.parametrize("weight, bias", [(True, True), (True, False), (False, False)])
def test_layer_norm(nki: ModuleType, lnc: int, weight: bool, bias: bool) -> None:
    x, w, b = normal(129, 2100), normal(2100), normal(2100) + 1
    given = w if weight else None, b if bias else None
    y, mean, rstd = nki.simulate(kernel("nki_layer_norm")[lnc])(x, *given, (2100,), 1e-5)
    exact = x.astype(np.float64)
    center = exact.mean(1)
    scale = 1 / np.sqrt(exact.var(1) + 1e-5)
    np.testing.assert_allclose(mean[:, 0], center, atol=1e-6)
    np.testing.assert_allclose(rstd[:, 0], scale, rtol=1e-5)
    wanted = (exact - center[:, None]) * scale[:, None] * (w if weight else 1) + (b if bias else 0)
    np.testing.assert_allclose(y, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("lnc", [1, 2])
@pytest.mark.parametrize("shape", [(1, 66), (2, 65, 2 * 2500)])
def test_silu_and_mul(nki: ModuleType, lnc: int, shape: tuple) -> None:
    x, dy = normal(*shape), normal(*shape[:-1], shape[-1] // 2) + 1
    gate, up = np.split(x.astype(np.float64), 2, axis=-1)
    s = 1 / (1 + np.exp(-gate))
    y = nki.simulate(kernel("nki_silu_and_mul")[lnc])(x)
    np.testing.assert_allclose(y, gate * s * up, rtol=1e-5, atol=1e-7)
    dx = nki.simulate(kernel("nki_silu_and_mul_bwd", "nki_silu_and_mul")[lnc])(dy, x)
    wanted = np.concatenate([dy * up * s * (1 + gate * (1 - s)), dy * gate * s], -1)
    np.testing.assert_allclose(dx, wanted, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("lnc", [1, 2])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("batch, c", [((2, 75), 33), ((10,), 2 * 2048 + 5)])
def test_cross_entropy(
    nki: ModuleType, lnc: int, batch: tuple, c: int, reduction: str, smoothing: float
) -> None:
    z = 10 * normal(*batch, c)
    z[..., 3, :2] = 50, 50  # two elements are the largest
    if not smoothing:
        z[..., 4, 2:] = -np.inf
    labels = np.random.default_rng(1).integers(0, c, batch).astype(np.int32)
    labels[..., 4] = 1
    labels[..., 5:9] = -100
    attrs = -100, smoothing, reduction
    given = nki.simulate(kernel("nki_cross_entropy")[lnc])(z, labels, *attrs)
    counts, exact = labels != -100, z.astype(np.float64)
    top = exact.max(-1)
    below = top[..., None] - exact
    terms = np.sort(np.exp(-below), -1)[..., ::-1]
    rest = terms[..., 1:].sum(-1)
    missed = np.take_along_axis(below, np.where(counts, labels, 0)[..., None], -1)[..., 0]
    loss = np.log1p(rest) + (1 - smoothing) * missed
    loss = np.where(counts, loss + (smoothing * below.mean(-1) if smoothing else 0.0), 0.0)
    wanted = {"none": loss, "sum": loss.sum(), "mean": loss.sum() / counts.sum()}[reduction]
    np.testing.assert_allclose(given[0].reshape(np.shape(wanted)), wanted, rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(given[1].reshape(batch), top)
    np.testing.assert_allclose(given[2].reshape(batch), rest, rtol=1e-5)
    assert len(given) == 3 + (reduction == "mean")
    dloss = normal(*batch) if reduction == "none" else np.full((1, 1), 2.0, np.float32)
    backward = nki.simulate(kernel("nki_cross_entropy_bwd", "nki_cross_entropy")[lnc])
    count = given[3] if reduction == "mean" else None
    dz = backward(dloss, z, labels, given[1], given[2], count, *attrs)
    p = np.exp(-below) / (1 + rest[..., None])
    hit = np.where(counts, labels, 0)[..., None] == np.arange(c)
    number = 1 if count is None else count[0, 0]
    scale = dloss[..., None] if reduction == "none" else 2.0 / number
    slope = scale * (p - smoothing / c - (1 - smoothing) * hit)
    np.testing.assert_allclose(dz, np.where(counts[..., None], slope, 0), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("lnc", [1, 2])
@pytest.mark.parametrize("renormalize", [False, True])
def test_topk_softmax(nki: ModuleType, lnc: int, renormalize: bool) -> None:
    z = normal(3, 50, 13)
    z[1, 7, 3:6] = 9  # the first of equal ones is the result
    run = nki.simulate(kernel("nki_topk_softmax")[lnc])
    weights, ids, top, total = run(z, 4, renormalize)
    wanted = np.argsort(-z, -1, kind="stable")[..., :4]
    np.testing.assert_array_equal(ids, wanted)
    np.testing.assert_array_equal(top.reshape(3, 50), z.max(-1))
    shares = np.exp(z - z.max(-1, keepdims=True))
    np.testing.assert_allclose(total.reshape(3, 50), shares.sum(-1), rtol=1e-6)
    chosen = np.take_along_axis(shares, wanted, -1)
    whole = chosen if renormalize else shares
    np.testing.assert_allclose(weights, chosen / whole.sum(-1, keepdims=True), rtol=1e-5)


@pytest.mark.parametrize("lnc", [1, 2])
@pytest.mark.parametrize("style", ["half", "interleaved"])
@pytest.mark.parametrize("own", [False, True])
def test_rotary(nki: ModuleType, lnc: int, style: str, own: bool) -> None:
    q, k, table = normal(2, 130, 4, 16), normal(2, 130, 2, 16), normal(40, 12)
    shape = (2, 130) if own else (130,)
    positions = np.random.default_rng(2).integers(0, 40, shape).astype(np.int32)
    run = nki.simulate(kernel("nki_rotary")[lnc])
    found = run(q, positions, table, k, style, True)
    cos, sin = np.split(table[positions][..., None, :], 2, -1)
    if style == "half":
        left, right = slice(0, 6), slice(6, 12)
    else:
        left, right = slice(0, 12, 2), slice(1, 12, 2)
    for x, y in zip((q, k), found):
        wanted = x.copy()
        wanted[..., left] = x[..., left] * cos + x[..., right] * sin
        wanted[..., right] = x[..., right] * cos - x[..., left] * sin
        np.testing.assert_allclose(y, wanted, rtol=1e-6, atol=1e-6)
    only = run(q, positions, table, None, style, True)
    np.testing.assert_array_equal(only, found[0])


BROKEN = """
import nki
import nki.isa as nisa
import nki.language as nl


def tile(x):
    return nl.load(x[nl.ds(0, 128), nl.ds(0, 4)])


def out(shape, buffer=nl.shared_hbm):
    return nl.ndarray(shape, dtype=nl.float32, buffer=buffer)


@nki.jit
def kernel(x{parameters}):
    {body}
    nl.store(y[nl.ds(0, 128), nl.ds(0, 4)], t)
    return y
"""
BODIES = {
    "129 partitions": ("t = nl.load(x); y = out(x.shape)", "at most 128 partitions"),
    "a tile of 129 partitions": ("t = nl.zeros((129, 4), nl.float32)", "at most 128 partitions"),
    "broadcasting": (
        "y = out((128, 4)); t = tile(x); t = nl.add(t, nl.max(t, axis=1, keepdims=True))",
        r"add: \(128, 4\) and \(128, 1\) do not broadcast: use nl.broadcast_to",
    ),
    "where broadcasts": (
        "y = out((128, 4)); t = tile(x); t = nl.where(nl.max(t, axis=1, keepdims=True), t, t)",
        "do not broadcast",
    ),
    "is": ("y = out((128, 4)); t = tile(x) if x is not None else None", "use `==`"),
    "is in a helper": ("y = helper(x); t = tile(x)", "helper, line 2: `is`: use `==`"),
    "read before written": (
        "y = out((128, 4)); t = nl.ndarray((128, 4), nl.float32, nl.sbuf)",
        "read before it is written",
    ),
    "an output read first": (
        "y = out((128, 4)); t = nl.load(y[nl.ds(0, 128), nl.ds(0, 4)])",
        "read before it is written",
    ),
    "never stored": ("y = out((256, 4)); t = tile(x)", "512 elements of a .* are never stored"),
    "outside": ("y = out((128, 4)); t = nl.load(x[nl.ds(100, 128), nl.ds(0, 4)])", "is outside of"),
    "another shape": ("y = out((128, 4)); t = nl.zeros((64, 4), nl.float32)", "written to"),
    "rows by floats": (
        "y = out((128, 4)); t = tile(x);"
        " nisa.dma_copy(t, x.vector_select(0, nl.max(t, axis=1, keepdims=True)))",
        "by one i32 or u32",
    ),
    "rows that there are not": (
        "y = out((128, 4)); t = tile(x);"
        " nisa.dma_copy(t, x.vector_select(0, nl.full((128, 1), 200, nl.int32)))",
        "a row outside of",
    ),
    "a tile loaded": ("y = out((128, 4)); t = nl.load(tile(x))", "the source is in HBM"),
    "three dims transposed": ("t = nl.transpose(nl.zeros((4, 4, 4), nl.float32))", "transpose: a"),
    "a copy from PSUM": (
        "y = out((128, 4)); t = tile(x); nisa.dma_copy(t, nl.transpose(nl.zeros((4, 128), nl.float32)))",
        "dma_copy: between HBM and SBUF",
    ),
    "a copy of nothing": (
        "y = out((128, 4)); t = tile(x); nisa.dma_copy(t, nl.ndarray((128, 4), nl.float32))",
        "read before it is written",
    ),
    "another barrier": ("t = tile(x); nisa.core_barrier(t, (0, 1))", "core_barrier: of shared HBM"),
    "no such function": ("t = nl.gelu(tile(x))", "the stand-in has no nki.language.gelu"),
    "private memory": ("y = out((128, 4), nl.hbm); t = tile(x)", "buffer=nl.shared_hbm"),
    "HBM in arithmetic": ("y = out((128, 4)); t = nl.add(x, 1.0)", "load it first"),
    "the partition axis": ("y = out((128, 4)); t = nl.sum(tile(x), axis=0)", "only free dims"),
    "PSUM to HBM": (
        "y = out((128, 4)); t = nl.matmul(nl.zeros((8, 128), nl.float32),"
        " nl.zeros((8, 4), nl.float32), transpose_x=True)",
        "copy what is in PSUM first",
    ),
    "columns of a product": (
        "y = out((128, 4)); t = nl.matmul(nl.zeros((8, 128), nl.float32),"
        " nl.zeros((8, 513), nl.float32), transpose_x=True)",
        "128 and 512 columns in SBUF at most",
    ),
    "a product that transposes": (
        "y = out((128, 4)); t = nl.matmul(tile(x), tile(x))",
        "without transpose_x=True",
    ),
    "division": ("y = out((128, 4)); t = nl.divide(tile(x), 2.0)", "nl.reciprocal"),
    "a scalar tensor": ("y = out(()); t = tile(x)", "at least one dim"),
    "a barrier of one": (
        "y = out((128, 4)); t = tile(x); nisa.core_barrier(y, (0, 1))",
        "two programs",
    ),
}
HELPER = "def helper(x):\n    assert x is not None\n    return out((128, 4))\n"


@pytest.fixture
def refused(tmp_path: Path, nki: ModuleType) -> Callable[..., None]:
    """Return a function that runs a kernel body and checks the stand-in's error message."""
    if INSTALLED:
        pytest.skip("the messages are the stand-in's")

    def check(body: str, message: str, *args: Any, parameters: str = "") -> None:
        path = tmp_path / "broken.py"
        path.write_text(HELPER + BROKEN.format(parameters=parameters, body=body))
        with pytest.raises(nki.Refused, match=message):
            nki.simulate(load(path).kernel)(*(args or (normal(200, 4),)))

    return check


@pytest.mark.parametrize("body, message", BODIES.values(), ids=BODIES.keys())
def test_a_kernel_that_hardware_refuses(refused: Callable, body: str, message: str) -> None:
    refused(body, message)


RIGHT = "y = out((128, 4)); t = tile(x)"


def test_arguments_that_a_kernel_cannot_have(refused: Callable, nki: ModuleType) -> None:
    x = normal(200, 4)
    refused(RIGHT, "keyword-only arguments", x, parameters=", *, a=1")
    refused(RIGHT, "a: a kernel takes no list: give a tuple", x, [1], parameters=", a")
    for wide in (np.int64, np.float64):
        refused(RIGHT, "x: .*64: kernels compute in 32 bits", x.astype(wide))
    refused(RIGHT, "a: a tensor has at least one dim", x, np.ones((), np.float32), parameters=", a")


def test_launches_that_there_are_not(nki: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "right.py"
    path.write_text(HELPER + BROKEN.format(parameters="", body=RIGHT))
    right = load(path).kernel
    assert nki.simulate(right[2])(normal(200, 4)).shape == (128, 4)
    for lnc in (0, 3, (2,), (2, 2)):
        with pytest.raises(Exception, match="1 or 2 cores" if not INSTALLED else ""):
            nki.simulate(right[lnc])(normal(200, 4))


def test_type_checks() -> None:
    """The kernels pass mypy with the stand-in, which declares the functions of `nki.language`."""
    pytest.importorskip("mypy", reason="mypy is not installed")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", f"--config-file={os.devnull}", "--check-untyped-defs"]
        + [*map(str, KERNELS)],
        env={**os.environ, "MYPYPATH": str(SHIM)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
