"""A backward allocates and writes only the gradients that are needed."""

from __future__ import annotations

import re
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

GENERATOR = np.random.default_rng(0)
X, W, B = (GENERATOR.standard_normal(s).astype(np.float32) for s in ((6, 4), 4, 4))
# For each set of inputs with a gradient: the letters of the gradients that the backward writes.
NEEDED = {"x": "x", "w": "w", "b": "b", "xw": "xw", "wb": "wb", "xwb": "xwb"}


def plain(xp, x, w, b):
    return xp.sum((x * w + b) ** 3)


def expected(names: str) -> dict[str, torch.Tensor]:
    """Return the gradients of `sum(affine(x, w, b)**3)` for `names`, by PyTorch's operators."""
    given = {
        n: torch.tensor(a, dtype=torch.float64, requires_grad=n in names)
        for n, a in zip("xwb", (X, W, B))
    }
    plain(torch, *given.values()).backward()
    return {name: given[name].grad for name in names}


# -- PyTorch -------------------------------------------------------------------------


def inputs(names: str) -> list[torch.Tensor]:
    return [torch.tensor(a, requires_grad=n in names) for n, a in zip("xwb", (X, W, B))]


@pytest.mark.parametrize("names", NEEDED)
def test_torch_computes_what_requires_a_gradient(torch_ops, written, names):
    given = inputs(names)
    (torch_ops.affine(*given) ** 3).sum().backward()
    assert written() == NEEDED[names]
    for name, tensor in zip("xwb", given):
        assert (tensor.grad is not None) == (name in names)
    for name, wanted in expected(names).items():
        got = given["xwb".index(name)].grad
        torch.testing.assert_close(got.double(), wanted, rtol=1e-5, atol=1e-5)


def test_torch_computes_what_autograd_is_asked_for(torch_ops, written):
    given = inputs("xwb")
    y = (torch_ops.affine(*given) ** 3).sum()
    (dbias,) = torch.autograd.grad(y, given[2:], retain_graph=True)
    assert written() == "b"
    dx, _ = torch.autograd.grad(y, given[:2])
    assert written() == "xw"
    torch.testing.assert_close(dbias.double(), expected("b")["b"], rtol=1e-5, atol=1e-5)


def test_torch_func_asks_for_its_arguments(torch_ops, written):
    loss = lambda *a: (torch_ops.affine(*a) ** 3).sum()  # noqa: E731
    x, w, b = inputs("")
    torch.func.grad(loss, argnums=1)(x, w, b)
    assert written() == "w"
    torch.func.vmap(torch.func.grad(loss, argnums=2), in_dims=(0, None, None))(x, w, b)
    assert set(written()) == {"b"}


def test_torch_without_a_weight(torch_ops, written):
    x = torch.tensor(X, requires_grad=True)
    torch_ops.affine(x).sum().backward()
    assert written() == "x" and torch.equal(x.grad, torch.ones_like(x))


@pytest.mark.parametrize("compiled", [False, True])
def test_torch_compiled(torch_ops, written, compiled):
    torch._dynamo.reset()
    step = torch.compile(
        lambda *a: (torch_ops.affine(*a) ** 3).sum(), fullgraph=True, backend="aot_eager"
    )
    given = inputs("b")
    if compiled:
        with torch._dynamo.compiled_autograd._enable(torch.compile(backend="eager")):
            step(*given).backward()
    else:
        step(*given).backward()
    assert written() == "b"
    torch.testing.assert_close(given[2].grad.double(), expected("b")["b"], rtol=1e-5, atol=1e-5)


def test_torch_raw_op_takes_bits_and_defaults_to_all(torch_ops, written):
    op, dy, x, w = torch.ops.chosen.affine_bwd.default, *map(torch.tensor, (X, X, W))
    assert str(op._schema).count("int wanted=-1") == 1
    assert all(each is not None for each in op(dy, x, w)) and written() == "xwb"
    dx, dweight, dbias = op(dy, None, w, wanted=0b101)
    assert dweight is None and written() == "xb"
    assert op(dy, None, w, wanted=0) == (None, None, None) and written() == ""
    for arguments in ((dy, x, w), (dy, x, w, 0b010), (dy, None, None, 0b100)):
        torch.library.opcheck(op, arguments)
    fake = torch._subclasses.FakeTensorMode()
    with fake:
        found = op(fake.from_tensor(dy), None, None, wanted=0b100)
    assert found[0] is None and found[2].shape == (4,)


def test_torch_face_takes_names(torch_ops, written):
    dy, x, w = map(torch.tensor, (X, X, W))
    dx, dweight, dbias = torch_ops.affine_bwd(dy, x, w, wanted={"dweight"})
    assert dx is dbias is None and dweight.shape == (4,) and written() == "w"
    with pytest.raises(ValueError, match="affine_bwd: wanted: .*'dbias', got 'dy'"):
        torch_ops.affine_bwd(dy, x, w, wanted=["dy"])
    with pytest.raises(TypeError, match="affine_bwd: wanted: expected names, got"):
        torch_ops.affine_bwd(dy, x, w, wanted="dx")


def test_torch_keeps_a_residual_only_for_a_gradient(torch_ops, written):
    x = torch.rand(5) + 1
    torch_ops.root(x)
    assert written() == ""
    with torch.no_grad():
        torch_ops.root(x.requires_grad_())
    assert written() == ""
    y = torch_ops.root(x)
    assert written() == "h"
    y.sum().backward()
    torch.testing.assert_close(x.grad, 0.5 * x.detach() ** -0.5)
    assert torch.ops.chosen.root.default(x.detach())[1] is not None  # the residual


def test_torch_makes_each_call_only_if_it_is_needed(torch_ops, written):
    a, b = torch.rand(5), torch.rand(5, requires_grad=True)
    y = torch_ops.product(a, b).sum()
    written()
    y.backward()
    assert written() == "p" and torch.equal(b.grad, a)


# -- JAX -----------------------------------------------------------------------------


def loss(ops):
    return lambda *a: jnp.sum(ops.affine(*a) ** 3)


@pytest.mark.parametrize("names", NEEDED)
@pytest.mark.parametrize("jit", [False, True])
def test_jax_computes_what_is_differentiated_by(jax_ops, written, names, jit):
    places = tuple("xwb".index(name) for name in names)
    gradient = jax.grad(loss(jax_ops), places)
    found = jax.block_until_ready((jax.jit(gradient) if jit else gradient)(X, W, B))
    assert written() == NEEDED[names]
    for got, wanted in zip(found, expected(names).values()):
        np.testing.assert_allclose(got, wanted.numpy(), rtol=1e-5, atol=1e-5)


def test_jax_results_that_are_not_needed_are_not_in_the_program(jax_ops):
    def results(places):
        text = jax.jit(jax.grad(loss(jax_ops), places)).lower(X, W, B).as_text()
        (line,) = (each for each in text.split("\n") if "chosen.affine_bwd" in each)
        return re.findall(r"tensor<(\S+)xf32>", line.partition("->")[2])

    assert results((0, 1, 2)) == ["6x4", "4", "4"]
    assert results((1,)) == ["4"]
    assert results((0, 2)) == ["6x4", "4"]


def test_jax_under_transforms(jax_ops, written):
    rows = jax.vmap(jax.grad(loss(jax_ops), 2), (0, None, None))(X, W, B)
    jax.block_until_ready(rows)
    assert set(written()) == {"b"} and rows.shape == (6, 4)
    f = loss(jax_ops)
    wanted = jax.grad(lambda *a: plain(jnp, *a), 1)(X, W, B)
    for wrap in (jax.checkpoint, jax.jit, lambda f: jax.jit(jax.checkpoint(f))):
        found = jax.block_until_ready(jax.grad(wrap(f), 1)(X, W, B))
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)
        assert written() == "w"


def test_jax_traces_of_other_needs_are_not_mixed_up(jax_ops, written):
    """A traced function gives the right gradients, whatever inputs JAX differentiates it for."""
    f = jax.checkpoint(loss(jax_ops))
    for names in ("w", "b", "w", "xwb", "b"):
        places = tuple("xwb".index(name) for name in names)
        found = jax.block_until_ready(jax.grad(f, places)(X, W, B))
        assert written() == names
        for got, (_, wanted) in zip(found, expected(names).items()):
            np.testing.assert_allclose(got, wanted.numpy(), rtol=1e-5, atol=1e-5)


def test_jax_in_a_scan(jax_ops, written):
    def looped(op, w):
        step = lambda x, _: (op(x, w, B) * 0.5, None)  # noqa: E731
        return jnp.sum(jax.lax.scan(step, jnp.asarray(X), None, length=3)[0] ** 2)

    found = jax.block_until_ready(jax.grad(lambda w: looped(jax_ops.affine, w))(W))
    assert written() == "xw" * 3  # `x` is carried, and depends on `w`
    wanted = jax.grad(lambda w: looped(lambda x, w, b: x * w + b, w))(W)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)


def test_jax_split_over_devices(jax_ops, written):
    mesh = jax.make_mesh((2,), ("i",), (jax.sharding.AxisType.Auto,), devices=jax.devices()[:2])
    split = jax.NamedSharding(mesh, jax.P("i"))
    gradient = jax.jit(jax.grad(loss(jax_ops), 2))
    compiled = gradient.lower(jax.device_put(X, split), W, B).compile()
    assert compiled.as_text().count(" all-reduce(") == 1
    found = jax.block_until_ready(compiled(jax.device_put(X, split), W, B))
    np.testing.assert_allclose(found, expected("b")["b"].numpy(), rtol=1e-5, atol=1e-5)
    assert written() == "bb"


def test_jax_face_takes_names(jax_ops, written):
    dx, dweight, dbias = jax_ops.affine_bwd(X, None, W, wanted=["dx"])
    jax.block_until_ready(dx)
    assert dweight is dbias is None and written() == "x"
    assert jax_ops.affine_bwd(X, None, W, wanted=()) == (None, None, None)
    with pytest.raises(ValueError, match="affine_bwd: wanted: .*'dbias', got 'dy'"):
        jax_ops.affine_bwd(X, X, W, wanted=["dy"])


def test_jax_keeps_a_residual_only_for_a_gradient(jax_ops, written):
    x = jnp.linspace(1, 2, 5)
    jax.block_until_ready(jax_ops.root(x))
    assert written() == ""
    found = jax.block_until_ready(jax.grad(lambda x: jax_ops.root(x).sum())(x))
    assert written() == "h"
    np.testing.assert_allclose(found, 0.5 * x**-0.5, rtol=1e-6)


def test_jax_makes_each_call_only_if_it_is_needed(jax_ops, written):
    a, b = jnp.arange(5.0), jnp.ones(5)
    found = jax.block_until_ready(jax.grad(lambda a, b: jax_ops.product(a, b).sum(), 1)(a, b))
    assert written() == "pp"  # from the forward and from one of its two backwards
    np.testing.assert_array_equal(found, a)


@pytest.mark.parametrize("read", ["y", "z", "yz"])
def test_the_cotangent_of_a_result_that_nobody_reads_is_zeros(
    torch_ops: ModuleType, jax_ops: ModuleType, read: str
) -> None:
    def total(results: Any) -> Any:
        return sum(results["yz".index(name)].sum() for name in read)

    wanted = [{"y": 2.0, "z": 3.0, "yz": 5.0}[read]] * 3
    for call in (torch_ops.two, torch.compile(torch_ops.two, fullgraph=True)):
        x = torch.ones(3, requires_grad=True)
        assert torch.autograd.grad(total(call(x, both=True)), x)[0].tolist() == wanted
    alone = torch.autograd.grad(torch_ops.two(x)[0].sum(), x)[0]
    assert alone.tolist() == [2.0] * 3
    found = jax.grad(lambda x: total(jax_ops.two(x, both=True)))(jnp.ones(3))
    assert found.tolist() == wanted
    assert jax.grad(lambda x: jax_ops.two(x)[0].sum())(jnp.ones(3)).tolist() == [2.0] * 3


def test_cotangents_may_have_different_dtypes(torch_ops: ModuleType, jax_ops: ModuleType) -> None:
    x = torch.ones(3, requires_grad=True)
    y, z = torch_ops.widened(x)
    assert (y.dtype, z.dtype) == (torch.float32, torch.float64)
    (dx,) = torch.autograd.grad(y.sum() + 3 * z.sum(), x)
    assert dx.dtype == torch.float32 and dx.tolist() == [5.0] * 3
    with jax.enable_x64():
        dx = jax.grad(lambda x: sum(each.sum() for each in jax_ops.widened(x)))(jnp.ones(3, "f4"))
    assert dx.dtype == "float32" and dx.tolist() == [3.0] * 3
