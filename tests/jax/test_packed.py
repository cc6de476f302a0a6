"""`jax.attrs = "packed"`, and `jax.opaque`: kernels that are told a packed descriptor."""

from __future__ import annotations

import ctypes
import importlib
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from opgen.build.frameworks import find_frameworks
from opgen.build.runtime_files import runtime_dir
from opgen.compiler.pipeline import load
from opgen.output.render import render
from opgen.spec.config import Config

PROJECT = Path(__file__).parent / "packed"
FLAGS = "-std=c++17 -O1 -fPIC -shared -fvisibility=hidden -Wall -Wextra -Werror"
X = np.arange(24, dtype=np.float32).reshape(2, 4, 3)
W = np.float32([1, 2, 4])
SIZE = 48


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The rendered package, with its libraries compiled without CMake."""
    compiler = os.environ.get("CXX") or shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    config = Config(PROJECT, package="packed", namespace="packed")
    project, found, _ = load([PROJECT / "specs/scaled.toml"], config)
    assert project is not None and not found, found
    folder = tmp_path_factory.mktemp("packed")
    for file in render(project, ["core", "cpp", "jax"]):
        path = folder / "packed" / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)
    package = re.findall(r'"(\w+)"$', (folder / "packed/core/_package.py").read_text(), re.M)[0]
    lib, cpp = folder / "packed/lib", folder / "packed/cpp"
    lib.mkdir()
    runtime = runtime_dir()
    common = [f"-I{runtime}/include", f"-I{cpp}", f"-I{config.kernels_dir}"]
    jax_flags = [
        f"-I{runtime}/adapters/jax/include",
        f"-isystem{find_frameworks().jax_include}",
        *("-pthread", f"-L{lib}", "-l:libpacked_kernels.so", "-Wl,-rpath,$ORIGIN"),
    ]
    for name, sources, flags in (
        ("libpacked_kernels.so", ["cpu", "opaque"], []),
        (f"libpacked_jax-{package}.so", ["jax"], jax_flags),
    ):
        files = [str(cpp / f"scaled_{source}.cpp") for source in sources]
        command = [compiler, *FLAGS.split(), *common, *files, *flags]
        command += ["-o", str(lib / name)]
        built = subprocess.run(command, capture_output=True, text=True)
        assert built.returncode == 0, built.stderr[:4000]
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module("packed")
    finally:
        sys.path.remove(str(folder))
        for module in [m for m in sys.modules if m.partition(".")[0] == "packed"]:
            del sys.modules[module]


@pytest.fixture(scope="module")
def scaled(packed: ModuleType):
    return importlib.import_module("packed.jax").scaled


def expected(x, weight, factor=1.0, shift=0, mode="plus", negated=False, kind="f32"):
    y = np.asarray(x, np.float64) * np.asarray(weight) * factor
    y = y + (shift if mode == "plus" else -shift)
    y = -y if negated else y
    return y, y.sum(-1)


def assert_equal(found, wanted) -> None:
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(np.asarray(one, np.float64), other)


ATTRS = [
    {},
    {"factor": 0.5, "shift": 255},
    {"shift": -128, "mode": "minus"},
    {"shift": 0x80, "negated": True, "kind": "f64"},
    {"factor": -2.0, "shift": 10, "mode": "minus", "negated": True},
]


@pytest.mark.parametrize("attrs", ATTRS, ids=str)
def test_attrs_arrive_in_the_descriptor(scaled, attrs) -> None:
    assert_equal(scaled(X, W, **attrs), expected(X, W, **attrs))


def test_bytes_are_the_only_attribute(scaled) -> None:
    text = jax.jit(lambda x: scaled(x, W, factor=3.0)).lower(X).as_text()
    assert "packed_descriptor = " in text
    assert "factor =" not in text and "mode =" not in text


def test_vmap_and_other_dtypes(scaled) -> None:
    x, weight = X.astype(jnp.bfloat16), np.stack([W, 2 * W]).astype(jnp.bfloat16)
    found = jax.vmap(lambda x, w: scaled(x, w, shift=2))(x, weight)
    wanted = [expected(a, b, shift=2) for a, b in zip(x, weight)]
    assert_equal(found, map(np.stack, zip(*wanted)))


def test_a_shard_has_a_descriptor_of_its_own(scaled) -> None:
    mesh = jax.make_mesh((8,), ("i",))
    x = np.arange(48, dtype=np.float32).reshape(16, 3)
    given = jax.device_put(x, NamedSharding(mesh, P("i")))
    function = jax.jit(lambda x: scaled(x, W, shift=1))
    text = function.lower(given).compile().as_text()
    assert "all-gather" not in text
    assert_equal(jax.block_until_ready(function(given)), expected(x, W, shift=1))


def test_symbolic_sizes_are_refused(scaled) -> None:
    (b,) = export.symbolic_shape("b")
    checks = [export.DisabledSafetyCheck.custom_call("packed.scaled")]
    exporter = export.export(jax.jit(lambda x: scaled(x, W)), disabled_checks=checks)
    with pytest.raises(ValueError, match=r"scaled: a packed descriptor needs .*\(b, 3"):
        exporter(jax.ShapeDtypeStruct((b, 3), jnp.float32))
    program = exporter(jax.ShapeDtypeStruct((4, 3), jnp.float32))
    assert_equal(program.call(X[0]), expected(X[0], W))


def foreign(op_hash: int, descriptor: bytes) -> list[jax.Array]:
    """The handler, told this descriptor for `X` and `W`."""
    types = [jax.ShapeDtypeStruct(s, jnp.float32) for s in (X.shape, X.shape[:-1])]
    call = jax.ffi.ffi_call("packed.scaled", types)
    return call(
        X, W, batch_dims=np.int64(0), op_hash=np.int64(op_hash), packed_descriptor=descriptor
    )


def test_wrong_descriptors_are_refused(packed, scaled) -> None:
    spec = packed.core.TensorSpec
    x, w = spec(X.shape, "f32"), spec(W.shape, "f32")
    good = packed.core.scaled.describe(x, w, shift=3)
    assert len(good) == SIZE
    made = packed.core.scaled.op_hash
    assert_equal(foreign(made, good), expected(X, W, shift=3))
    for bad in (good[:-1], good + b"\0", b""):
        message = f"scaled: descriptor: expected {SIZE} bytes, got {len(bad)}"
        with pytest.raises(jax.errors.JaxRuntimeError, match=message):
            foreign(made, bad)
    other = packed.core.scaled.describe(spec((9, 3), "f32"), w)
    with pytest.raises(jax.errors.JaxRuntimeError, match="scaled: descriptor: expect"):
        foreign(made, other)


def test_a_call_that_was_made_with_another_state_of_the_op_is_refused(packed, scaled) -> None:
    """Before it runs: when XLA makes a program of it."""
    spec, made = packed.core.TensorSpec, packed.core.scaled.op_hash
    good = packed.core.scaled.describe(spec(X.shape, "f32"), spec(W.shape, "f32"))
    program = jax.jit(lambda: foreign(made ^ 1, good)).lower()
    with pytest.raises(jax.errors.JaxRuntimeError, match="scaled: this program was made with"):
        program.compile()


# -- the opaque signature ----------------------------------------------------------------


@pytest.fixture(scope="module")
def library(packed: ModuleType) -> ctypes.CDLL:
    path = Path(packed.__file__).parent / "lib/libpacked_kernels.so"
    library = ctypes.CDLL(str(path))
    library.packed_scaled_opaque_error.restype = ctypes.c_char_p
    return library


def opaque(library: ctypes.CDLL, descriptor: bytes, *arrays: np.ndarray) -> str:
    """Call the kernel on the arrays' memory; what it says of it."""
    buffers = (ctypes.c_void_p * len(arrays))(*(a.ctypes.data for a in arrays))
    length = ctypes.c_size_t(len(descriptor))
    library.packed_scaled_cpu_opaque(None, buffers, descriptor, length)
    return library.packed_scaled_opaque_error().decode()


def arrays(dtype) -> list[np.ndarray]:
    """x, weight, y, total, row."""
    return [
        *(X.astype(dtype), W.astype(dtype)),
        *(np.full(s, np.nan, dtype) for s in (X.shape, X.shape[:-1], W.shape)),
    ]


@pytest.mark.parametrize("dtype, code", [(np.float32, "f32"), (np.float64, "f64")])
def test_opaque_calls_run_on_real_buffers(packed, library, dtype, code) -> None:
    fields = dict(rows=8, d=3, factor=0.5, shift=7, mode=1, negated=True, kind="f32")
    given = arrays(dtype)
    data = packed.core.scaled.pack(**fields, x_type=code)
    assert opaque(library, data, *given) == ""
    wanted = expected(X, W, factor=0.5, shift=7, mode="minus", negated=True)
    assert_equal(given[2:4], wanted)


def test_opaque_calls_refuse_wrong_descriptors(packed, library) -> None:
    fields = dict(rows=8, d=3, factor=1.0, shift=0, mode=0, negated=False, kind="f32")
    good = packed.core.scaled.pack(**fields, x_type="f32")
    given = arrays(np.float32)
    for bad in (good[:-1], good + b"\0", b""):
        wanted = f"scaled: descriptor: expected {SIZE} bytes, got {len(bad)}"
        assert opaque(library, bad, *given) == wanted
    no_dtype = good[:-4] + b"\xff\xff\xff\x7f"
    assert "scaled: x_type: there is no dtype of" in opaque(library, no_dtype, *given)
    no_kernel = packed.core.scaled.pack(**fields, x_type="f16")
    assert opaque(library, no_kernel, *given).startswith("scaled: ")
    assert all(np.isnan(array).all() for array in given[2:])  # none has run
    said = []
    thread = threading.Thread(target=lambda: said.append(library.packed_scaled_opaque_error()))
    thread.start()
    thread.join()
    assert said == [b""]  # errors are each thread's own
    assert opaque(library, good, *given) == ""
    assert_equal(given[2:4], expected(X, W))
