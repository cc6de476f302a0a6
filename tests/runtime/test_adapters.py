"""Both adapters handle absent tensors, updated tensors and tensors with unusual strides."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from opgen.build.frameworks import find_frameworks
from opgen.build.runtime_files import runtime_dir
from opgen.compiler.pipeline import load
from opgen.output.render import render
from opgen.spec.config import Config

PROJECT = Path(__file__).parent / "project"
FLAGS = "-std=c++17 -O1 -fPIC -shared -fvisibility=hidden -Wall -Wextra -Werror -pthread"
X = np.arange(12, dtype=np.float32).reshape(2, 2, 3)
W = np.float32([1, 2, 3])
B = np.float32([10, 20, 30])


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the compiled kernels and adapters of the project, built without CMake."""
    compiler = os.environ.get("CXX") or shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    config = Config(PROJECT, package="varied", namespace="varied")
    project, found, _ = load([PROJECT / "specs" / "varied.toml"], config)
    assert project is not None, found
    folder = tmp_path_factory.mktemp("varied")
    for file in render(project, ["cpp"]):
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)
    places = find_frameworks()
    runtime = runtime_dir()
    adapters = runtime / "adapters"
    common = [f"-I{runtime}/include", "-Icpp", f"-I{config.kernels_dir}"]
    link = ["-L.", "-l:libkernels.so", "-Wl,-rpath,$ORIGIN"]
    torch = [
        f"-I{adapters}/torch/include",
        f"-isystem{places.torch_include}",
        "-DTORCH_TARGET_VERSION=0x020a000000000000ULL",
    ]
    link_torch = [f"-L{places.torch_lib}", "-Wl,--no-as-needed", "-ltorch"]
    jax = [f"-I{adapters}/jax/include", f"-isystem{places.jax_include}"]
    for name, flags, libs in (
        ("cpu", [], ["-o", "libkernels.so"]),
        ("torch", torch, ["-o", "libtorch_adapter.so", *link, *link_torch]),
        ("jax", jax, ["-o", "libjax_adapter.so", *link]),
    ):
        command = [compiler, *FLAGS.split(), *common, *flags, f"cpp/varied_{name}.cpp"]
        built = subprocess.run([*command, *libs], cwd=folder, capture_output=True, text=True)
        assert built.returncode == 0, built.stderr[:4000]
    return folder


@pytest.fixture(scope="module")
def torch_ops(libraries: Path):
    torch = pytest.importorskip("torch")
    if not hasattr(torch.ops.varied, "affine"):
        torch.ops.load_library(str(libraries / "libtorch_adapter.so"))
    return torch.ops.varied


@pytest.fixture(scope="module")
def jax_call(libraries: Path):
    jax = pytest.importorskip("jax")
    library = ctypes.CDLL(str(libraries / "libjax_adapter.so"))
    for op in ("affine", "accumulate_", "cast", "halves", "scale_each_"):
        handler = getattr(library, f"varied_{op}_cpu_ffi")
        jax.ffi.register_ffi_target(f"varied.{op}", jax.ffi.pycapsule(handler), platform="cpu")

    def call(op, shapes, *operands, batch_dims=0, aliases=None, **attrs):
        results = [jax.ShapeDtypeStruct(shape, np.float32) for shape in shapes]
        function = jax.ffi.ffi_call(f"varied.{op}", results, input_output_aliases=aliases)
        return function(*operands, batch_dims=np.int64(batch_dims), op_hash=np.int64(0), **attrs)

    return call


def expected(weight, bias, pads=(0, 0)) -> np.ndarray:
    y = X * (1 if weight is None else weight) + (0 if bias is None else bias)
    return np.pad(y, ((0, 0), (0, 0), pads))


CASES = [(w, b) for w in (None, W) for b in (None, B)]


@pytest.mark.parametrize("weight, bias", CASES)
def test_torch_absent_inputs_and_results(torch_ops, weight, bias) -> None:
    import torch

    x, w, b = (None if a is None else torch.from_numpy(a) for a in (X, weight, bias))
    y, total = torch_ops.affine(x, w, b)
    np.testing.assert_array_equal(y.numpy(), expected(weight, bias))
    assert total is None
    y, total = torch_ops.affine(x, w, b, True, 2.0, "negated", [1, 2])
    twice = expected(None if weight is None else weight, None, (1, 2)) * -2
    if bias is not None:
        twice -= np.pad(np.broadcast_to(bias, X.shape), ((0, 0), (0, 0), (1, 2)))
    np.testing.assert_array_equal(y.numpy(), twice)
    assert total.item() == twice.sum()


def test_torch_refusals(torch_ops) -> None:
    import torch

    x = torch.from_numpy(X)
    for args, words in (
        ((x, torch.ones(4)), "affine: weight: expected shape (3,) (`d`, d of x), got (4,)"),
        (
            (x, torch.ones(3, dtype=torch.float64)),
            "weight: expected dtype f32, the dtype of x, got f64",
        ),
        ((x, None, None, False, None, "loud"), "mode: expected one of plain, negated, got loud"),
        ((x, None, None, False, None, "plain", [0, 1]), "affine: requires an even right pad"),
        ((x, None, None, False, None, "plain", [0] * 4), "pads: at most 3 values fit"),
    ):
        with pytest.raises(ValueError) as caught:
            torch_ops.affine(*args)
        assert words in str(caught.value)
        assert ".cpp" not in str(caught.value) and ".h" not in str(caught.value)


def test_torch_updates_in_place(torch_ops) -> None:
    import torch

    total, wide = torch.ones(3, 4), torch.arange(24.0).reshape(3, 8)
    torch_ops.accumulate_(total, wide[:, 2:6])
    np.testing.assert_array_equal(total.numpy(), 1 + wide[:, 2:6].numpy())
    torch_ops.accumulate_(total, torch.ones(4, 3).T)
    np.testing.assert_array_equal(total.numpy(), 2 + wide[:, 2:6].numpy())
    with pytest.raises(ValueError, match="total: expected a contiguous tensor"):
        torch_ops.accumulate_(torch.ones(4, 3).T, torch.ones(3, 4))


@pytest.mark.parametrize("weight, bias", CASES)
def test_jax_absent_inputs_and_results(jax_call, weight, bias) -> None:
    operands = [a for a in (X, weight, bias) if a is not None]
    inputs = [1, int(weight is not None), int(bias is not None)]
    attrs = dict(mode="plain", pads=np.int64([0, 2]))
    given = np.int64([*inputs, 1, 0])
    (y,) = jax_call("affine", [(2, 2, 5)], *operands, given=given, total=False, **attrs)
    np.testing.assert_array_equal(y, expected(weight, bias, (0, 2)))
    given = np.int64([*inputs, 1, 1])
    y, total = jax_call(
        "affine", [(2, 2, 5), ()], *operands, given=given, total=True, factor=1.0, **attrs
    )
    assert total == expected(weight, bias).sum()


def test_jax_loops_over_batch_dims(jax_call) -> None:
    weights = np.float32([[1, 2, 3], [4, 5, 6]])
    given = np.int64([1, 1, 0, 1, 0])
    attrs = dict(mode="plain", pads=np.int64([0, 0]), total=False, given=given)
    (y,) = jax_call("affine", [(2, 2, 2, 3)], X[None], weights, batch_dims=1, **attrs)
    np.testing.assert_array_equal(y, X[None] * weights[:, None, None])


def test_jax_updated_input_is_a_result(jax_call) -> None:
    import jax

    total, x = np.ones((3, 4), np.float32), np.arange(12, dtype=np.float32).reshape(3, 4)
    call = jax.jit(lambda t, x: jax_call("accumulate_", [(3, 4)], t, x, aliases={0: 0}))
    (result,) = call(total, x)
    np.testing.assert_array_equal(result, total + x)


def test_jax_result_of_the_wrong_shape(jax_call) -> None:
    given = np.int64([1, 0, 0, 1, 0])
    with pytest.raises(
        Exception, match=r"affine: y: expected a result f32\(2, 2, 3\), got f32\(2, 2, 4\)"
    ):
        jax_call(
            "affine", [(2, 2, 4)], X, given=given, mode="plain", pads=np.int64([0, 0]), total=False
        )


def test_torch_dtypes_defaults_and_plain_kernels(torch_ops) -> None:
    import torch

    x = torch.arange(4.0)
    assert torch_ops.cast(x, torch.float64).tolist() == [0.0, 0.5, 1.0, 1.5]
    y = torch_ops.cast(x, torch.float32, 2.0)
    assert y.dtype == torch.float32 and y.tolist() == [0.0, 2.0, 4.0, 6.0]
    with pytest.raises(ValueError, match="cast: to"):
        torch_ops.cast(x, torch.int32)
    y, twice = torch_ops.halves(torch.arange(12.0).reshape(3, 4))
    assert y.tolist() == [[2, 4], [10, 12], [18, 20]]
    assert twice.tolist() == [4, 8, 20, 24, 36, 40]
    with pytest.raises(ValueError, match=r"a size of the form `2 \* h` .* got 5"):
        torch_ops.halves(torch.ones(3, 5))


def test_jax_dtypes_defaults_and_plain_kernels(jax_call) -> None:
    x = np.arange(4, dtype=np.float32)
    given = np.int64([1, 1])
    (y,) = jax_call("cast", [(4,)], x, to=np.int64(2), given=given)
    assert y.tolist() == [0.0, 0.5, 1.0, 1.5]
    y, twice = jax_call("halves", [(1, 2), (2,)], x[None])
    assert y.tolist() == [[2, 4]] and twice.tolist() == [4, 8]


def test_torch_lists(torch_ops) -> None:
    import torch

    weights = [torch.tensor(2.0), torch.tensor(3.0)]
    xs = [torch.ones(2, 3), torch.ones(4, 1, 3)]
    y = torch_ops.scale_each_(xs, weights, [])
    assert y == 5 and (xs[0] == 2).all() and (xs[1] == 3).all()
    torch_ops.scale_each_(xs, weights, [torch.ones(2, 3), torch.ones(4, 1, 3)], True)
    assert (xs[0] == 5).all() and (xs[1] == 10).all()
    for args, words in (
        ((xs, weights[:1], []), "ws: expected 2 tensors, n of xs, got 1"),
        (([xs[0], torch.ones(2)], weights, []), r"xs\[1\]: expected shape \(3,\) .* got \(2,\)"),
        (
            ([xs[0], xs[1].double()], weights, []),
            r"xs\[1\]: expected dtype f32, the dtype of the first",
        ),
        ((xs, weights, [], True), "extra: expected tensors where more, got none"),
        ((xs, weights, xs[::-1], True), r"extra\[0\]: expected shape \(2, 3\)"),
    ):
        with pytest.raises(ValueError, match=words):
            torch_ops.scale_each_(*args)


def test_jax_lists(jax_call) -> None:
    xs = [np.ones((2, 3), np.float32), np.ones((4, 1, 3), np.float32)]
    weights = [np.float32(2), np.float32(3)]
    shapes = [(), (2, 3), (4, 1, 3)]
    given = np.int64([2, 2, 0, 1, 2])
    attrs = dict(given=given, more=False, aliases={0: 1, 1: 2})
    y, a, b = jax_call("scale_each_", shapes, *xs, *weights, **attrs)
    assert y == 5 and (a == 2).all() and (b == 3).all()
    batched = [np.stack([x, 10 * x]) for x in xs]
    weights = [np.float32([w]) for w in weights]
    shapes = [(2, *shape) for shape in shapes]
    y, a, b = jax_call("scale_each_", shapes, *batched, *weights, batch_dims=1, **attrs)
    assert (y == 5).all() and (a[1] == 20).all() and (b[1] == 30).all()
