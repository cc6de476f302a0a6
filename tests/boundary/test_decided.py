"""Attrs and the presence of inputs may decide dtypes, for kernels, frameworks and gradients."""

from __future__ import annotations

import re
from types import ModuleType

import numpy as np
import pytest

MODES = {
    "int8": ({"mode": "int8"}, "int8"),
    "bfloat16": ({}, "bfloat16"),
    "float32": ({}, "float32"),
}
SCALE = 0.5


@pytest.mark.parametrize("mode", MODES)
def test_torch(boundary: ModuleType, mode: str) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import recast, weigh

    attrs, name = MODES[mode]
    dtype, scaled = getattr(torch, name), mode == "bfloat16"
    scale = torch.tensor(SCALE) if scaled else None
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
    w = torch.tensor([1, 2, 3]).to(dtype)
    by = np.float32([1, 2, 3]) * (SCALE if scaled else 1)
    bits = 8 * dtype.itemsize

    def call(x):
        return weigh(x, w, scale, **attrs)

    for run in (call, torch.compile(call, fullgraph=True)):
        y, again, padded = run(x)
        np.testing.assert_array_equal(y.detach(), x.detach().numpy() * by)
        assert again.dtype == dtype and torch.equal(again, w) and padded.tolist() == [1] * bits
        (dx,) = torch.autograd.grad(y.sum(), x)
        assert dx.tolist() == [by.tolist()] * 2
    rows = torch.func.vmap(lambda x: call(x)[0])(x.detach())
    np.testing.assert_array_equal(rows, x.detach().numpy() * by)

    narrowed, y = recast(x, scale, **attrs)
    assert narrowed.dtype == dtype and narrowed.float().tolist() == y.tolist() == (2 * x).tolist()
    (dx,) = torch.autograd.grad(y.sum(), x)
    assert dx.tolist() == [[bits] * 3] * 2  # `Q` comes from the forward
    given = (x.detach(), scale, attrs.get("mode", "plain"))
    torch.library.opcheck(torch.ops.boundary.recast.default, given)


@pytest.mark.parametrize("mode", MODES)
def test_jax(boundary: ModuleType, mode: str) -> None:
    jax = pytest.importorskip("jax")
    from boundary.jax import recast, weigh

    attrs, name = MODES[mode]
    scaled = mode == "bfloat16"
    scale = jax.numpy.float32(SCALE) if scaled else None
    x = jax.numpy.arange(1.0, 7.0).reshape(2, 3)
    w = jax.numpy.array([1, 2, 3]).astype(name)
    by = np.float32([1, 2, 3]) * (SCALE if scaled else 1)
    bits = 8 * w.dtype.itemsize

    def call(x):
        return weigh(x, w, scale, **attrs)

    for run in (call, jax.jit(call), jax.vmap(call)):
        y, again, padded = run(x)
        np.testing.assert_array_equal(y, x * by)
        assert again.dtype == w.dtype and padded.shape[-1] == bits
    np.testing.assert_array_equal(jax.grad(lambda x: call(x)[0].sum())(x), [by, by])

    narrowed, y = jax.jit(lambda x: recast(x, scale, **attrs))(x)
    assert narrowed.dtype == w.dtype
    np.testing.assert_array_equal(narrowed.astype("float32"), 2 * x)
    dx = jax.grad(lambda x: recast(x, scale, **attrs)[1].sum())(x)
    assert dx.tolist() == [[bits] * 3] * 2


def test_what_does_not_fit_is_refused(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import weigh

    x, w = torch.ones(2, 3), torch.ones(3)
    with pytest.raises(
        TypeError, match="weigh: w: expected dtype i8, which follows from T of x, mode, got f32"
    ):
        weigh(x, w, mode="int8")
    with pytest.raises(
        TypeError, match="weigh: w: expected dtype bf16, which follows from T of x, mode, got f32"
    ):
        weigh(x, w, torch.tensor(1.0))
    with pytest.raises(ValueError, match="int8 has no scale"):
        weigh(x, w.to(torch.int8), torch.tensor(1.0), mode="int8")


def test_an_attr_has_the_dtypes_of_its_variable(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    jax = pytest.importorskip("jax")
    from boundary.jax import recast_bwd as in_jax
    from boundary.torch import recast_bwd as in_torch

    x = torch.ones(3)
    for call in (
        lambda: in_torch(x, Q=torch.float16),
        lambda: in_torch(x.to("meta"), Q=torch.float16),
        lambda: in_jax(jax.numpy.ones(3), Q="f16"),
        lambda: jax.eval_shape(lambda x: in_jax(x, Q="f16"), jax.numpy.ones(3)),
    ):
        with pytest.raises(ValueError, match="recast_bwd: Q: expected one of .*, got .*f.*16"):
            call()


def test_a_kernel_is_made_for_what_calls_may_have(boundary: ModuleType) -> None:
    """A kernel's template parameters and dispatch table have only dtypes that calls may have."""
    from pathlib import Path

    header = (Path(boundary.__file__).parent / "cpp" / "decided.h").read_text()
    assert "template <class T, class Q>\nstruct WeighView {" in header
    assert "opgen::Tensor<const Q> w;" in header
    entries = (Path(boundary.__file__).parent / "cpp" / "decided_cpu.cpp").read_text()
    rows = re.findall(r"opgen::Row<([^<>]*)>", entries.partition("cpu::weigh(")[0])
    assert len(rows) == 6 and not any("float, double" in row for row in rows)


def test_a_variable_that_nothing_carries_has_the_first_dtype_of_its_list(
    boundary: ModuleType,
) -> None:
    torch = pytest.importorskip("torch")
    jax = pytest.importorskip("jax")
    from boundary.jax import numbered as in_jax
    from boundary.torch import numbered as in_torch

    with jax.enable_x64():
        for found in (in_torch(torch.ones(3)), in_jax(jax.numpy.ones(3, "float32"))):
            assert found.tolist() == [0, 1, 2] and str(found.dtype).endswith("int64")
    indices = torch.tensor([1, 2], dtype=torch.int32)
    assert in_torch(torch.ones(3), indices).dtype == torch.int32


def test_an_attr_that_is_none_gives_no_dtype(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    jnp = pytest.importorskip("jax.numpy")
    from boundary.core import biased as core
    from boundary.core._biased import TensorSpec
    from boundary.jax import biased as in_jax
    from boundary.torch import biased as in_torch

    said = "biased: bias: expected None: no dtype follows from B of x, out_dtype; got f16"
    x, bias = torch.ones(3, dtype=torch.int8), torch.ones(3, dtype=torch.float16)
    for call in (
        lambda: core.infer(TensorSpec((3,), "i8"), TensorSpec((3,), "f16")),
        lambda: in_torch(x, bias),
        lambda: in_torch(x.to("meta"), bias.to("meta")),
        lambda: torch.ops.boundary.biased(x, bias),
        lambda: in_jax(jnp.ones(3, "int8"), jnp.ones(3, "float16")),
    ):
        with pytest.raises((TypeError, ValueError, RuntimeError)) as caught:
            call()
        assert said in str(caught.value)
    assert in_torch(x, bias, out_dtype=torch.float16).tolist() == [0, 0, 0]
    assert in_torch(bias, bias).tolist() == [0, 0, 0]


def test_a_dtype_is_derived_from_an_attr_that_may_be_none(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    jax = pytest.importorskip("jax")
    from boundary.jax import cast_as as in_jax
    from boundary.torch import cast_as as in_torch

    with jax.enable_x64():
        for given, wanted in ((None, "float64"), ("int8", "int8"), ("float32", "float32")):
            dtype = None if given is None else getattr(torch, given)
            found = in_torch(torch.tensor([1.5, 2.5], dtype=torch.float64), out_dtype=dtype)
            other = in_jax(jax.numpy.array([1.5, 2.5]), out_dtype=given)
            assert str(found.dtype) == f"torch.{wanted}" and other.dtype == wanted
            assert found.tolist() == other.tolist() == ([1, 2] if wanted == "int8" else [1.5, 2.5])
