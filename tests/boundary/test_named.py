"""A spec may use names that languages, their headers or generated code reserve."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from opgen.targets.cpp.names import cpp_name

RUNTIME = Path(__file__).parents[2] / "runtime"

X = np.arange(6, dtype=np.float32).reshape(2, 3)
ROW = np.ones(3, np.float32)


def test_torch(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    import boundary.torch as ops

    def offsetof(v, more=None):
        return ops.offsetof(v, more, sum=3.0, bytes=2, np=True, len="range")

    x, row = (torch.from_numpy(a).double().requires_grad_() for a in (X, ROW))
    for call in (offsetof, torch.compile(offsetof, fullgraph=True)):
        assert torch.equal(call(x), 3 * x) and torch.equal(call(x, row), 3 * x + 3)
        dx, drow = torch.autograd.grad(call(x, row).sum(), (x, row))
        assert (dx == 3).all() and (drow == 6).all()
    assert torch.autograd.gradcheck(offsetof, (x, row))
    assert torch.equal(torch.vmap(offsetof, (0, None))(x, row), 3 * x + 3)

    for new in (ops.new, torch.compile(ops.new, fullgraph=True)):
        y = new(x, row, std=3.0, ctx=[0, 1])
        dx, drow = torch.autograd.grad(y.sum(), (x, row))
        assert torch.equal(y, x + 1) and (dx == 1).all() and (drow == 2).all()

    def times(x, by):
        return ops.sum(x, by, float=2.0, ValueError=True)

    even = torch.ones(4, dtype=torch.float64, requires_grad=True)
    by = torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
    for call in (times, torch.compile(times, fullgraph=True)):
        assert (call(even, by) == 6).all()
        assert torch.autograd.grad(call(even, by).sum(), by)[0] == 8
    assert (ops.sum(even, by, float=0.0) == 4.5).all()
    with pytest.raises(ValueError, match="sum: requires prod % 2 == 0, got prod = 3"):
        ops.sum(torch.ones(3), torch.ones(()))


def test_torch_updated(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    import boundary.torch as ops

    def device(x, by):
        return ops.device(x, by, mode="twice", mode_=2.0, ctx=1, device=True)

    for call in (device, torch.compile(device, fullgraph=True)):
        x = torch.zeros(3)
        assert call(x, torch.ones(3)) is not None and (x == 5).all()
    with pytest.raises(ValueError, match="device: mode: expected one of 'once', 'twice'"):
        ops.device(torch.zeros(3), torch.ones(3), mode="thrice")
    with pytest.raises(TypeError, match="device: mode_: expected a number, got a str"):
        ops.device(torch.zeros(3), torch.ones(3), mode_="one")


def test_jax(boundary: ModuleType) -> None:
    jax = pytest.importorskip("jax")
    import boundary.jax as ops

    def offsetof(v, more=None):
        return ops.offsetof(v, more, sum=3.0, bytes=2, np=True, len="range")

    with jax.enable_x64(True):
        x, row = jax.numpy.asarray(X, float), jax.numpy.asarray(ROW, float)
        for call in (offsetof, jax.jit(offsetof)):
            assert (call(x) == 3 * x).all() and (call(x, row) == 3 * x + 3).all()
            dx, drow = jax.grad(lambda *a: call(*a).sum(), (0, 1))(x, row)
            assert (dx == 3).all() and (drow == 6).all()
        assert (jax.vmap(offsetof, (0, None))(x, row) == 3 * x + 3).all()
        for new in (ops.new, jax.jit(ops.new)):
            assert (new(x, row) == x + 1).all()
        new = lambda *a: ops.new(*a, std=3.0, ctx=[0, 1]).sum()  # noqa: E731
        dx, drow = jax.grad(new, (0, 1))(x, row)
        assert (dx == 1).all() and (drow == 2).all()
        times = lambda *a: ops.sum(*a, float=2.0, ValueError=True)  # noqa: E731
        even = jax.numpy.ones(4)
        for call in (times, jax.jit(times)):
            assert (call(even, 3.0) == 6).all()
        assert jax.grad(lambda by: times(even, by).sum())(3.0) == 8
        assert (ops.sum(even, 3.0, float=0.0) == 4.5).all()
        device = lambda *a: ops.device(*a, mode="twice", mode_=2.0, ctx=1)  # noqa: E731
        for call in (device, jax.jit(device)):
            assert (call(row, row) == 6).all()
        assert (ops.twice(jax.numpy.float32([1, 2])) == jax.numpy.float32([2, 4])).all()
        with pytest.raises(ValueError, match="sum: requires prod % 2 == 0, got prod = 3"):
            ops.sum(row, 1.0)
        with pytest.raises(ValueError, match="device: mode: expected one of 'once'"):
            ops.device(row, row, mode="thrice")


def test_core(boundary: ModuleType) -> None:
    from boundary import core
    from boundary.core import TensorSpec

    x, row = TensorSpec((2, 3), "f32"), TensorSpec((3,), "f32")
    assert core.offsetof.infer(x, row).o == x
    with pytest.raises(ValueError, match="offsetof: type: expected shape"):
        core.offsetof.infer(row, TensorSpec((2,), "f32"))
    fields = {"args": 2, "this": 3, "DESCRIPTOR": 7}
    assert core.int.unpack(core.int.pack(**fields)) == fields


@pytest.mark.parametrize(
    "header", ["opgen/kernel.h", "opgen/torch.h", "opgen/jax.h", "pybind11/pybind11.h"]
)
def test_kernels_see_no_macro(header: str) -> None:
    compiler = os.environ.get("CXX") or shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    folders = [RUNTIME / "include", *RUNTIME.glob("adapters/*/include")]
    folders += map(Path, _includes(header))
    command = [compiler, "-std=c++20", "-dM", "-E", "-x", "c++", "-"]
    command += ["-DTORCH_TARGET_VERSION=0x020a000000000000", *(f"-I{each}" for each in folders)]
    text = f'#include "{header}"\n'
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    macros = set(re.findall(r"^#define ([A-Za-z]\w*)", done.stdout, re.M))
    writable = {name for name in macros if "__" not in name}
    assert len(writable) > 100
    assert {name for name in writable if cpp_name(name) == name} == set()


def _includes(header: str) -> list[str]:
    """Return the include folders that an adapter's header needs."""
    if header == "opgen/torch.h":
        folder = Path(pytest.importorskip("torch").__file__).parent / "include"
        return [str(folder), str(folder / "torch/csrc/api/include")]
    if header == "opgen/jax.h":
        return [pytest.importorskip("jax").ffi.include_dir()]
    if header.startswith("pybind11"):
        include = pytest.importorskip("pybind11").get_include()
        return [include, sysconfig.get_paths()["include"]]
    return []


def test_quoted_names_stay_apart() -> None:
    names = ["do", "do_", "NULL", "NULL_", "v", "v_", "desc", "T", "Acc", "x_type"]
    quoted = [cpp_name(name) for name in names]
    assert quoted == ["do_", "do__", "NULL_", "NULL__", "v", "v_", "desc_", "T", "Acc", "x_type"]
