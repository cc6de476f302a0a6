"""Gradients that a spec defines by cases: by an attr, by the presence of an input, by dtypes."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from jax.test_util import check_grads
from torch.autograd import forward_ad

X = np.random.default_rng(0).standard_normal((3, 4))


# -- PyTorch -------------------------------------------------------------------------


@pytest.mark.parametrize("mode, wrote", [("sum", ""), ("max", "m")])
def test_torch_by_an_attr(torch_ops, written, mode, wrote):
    x = torch.tensor(X, requires_grad=True)
    y = torch_ops.pool(x, mode=mode)
    y.sum().backward()
    assert written() == wrote
    f = lambda x: torch_ops.pool(x, mode=mode)  # noqa: E731
    assert torch.autograd.gradcheck(f, x) and torch.autograd.gradgradcheck(f, x)


def test_torch_a_case_without_a_gradient(torch_ops):
    x = torch.tensor(X, requires_grad=True)
    y = torch_ops.pool(x, mode="first")
    assert torch.equal(y, x[:, 0])
    with pytest.raises(RuntimeError, match='pool cannot be differentiated: .*"none"'):
        y.sum().backward()


def test_torch_by_presence_and_dtype(torch_ops):
    x, factor = torch.tensor(X, requires_grad=True), torch.tensor(
        2.0, dtype=torch.float64, requires_grad=True
    )
    assert torch.autograd.gradcheck(torch_ops.scaled, (x,))
    assert torch.autograd.gradcheck(torch_ops.scaled, (x, factor))
    assert torch.autograd.gradgradcheck(torch_ops.scaled, (x, factor))
    x, factor = (t.detach().float().requires_grad_() for t in (x, factor))
    dx, dfactor = torch.autograd.grad(
        torch_ops.scaled(x, factor).sum(), (x, factor), allow_unused=True
    )
    assert torch.equal(dx, torch.full_like(dx, 2)) and dfactor is None


def test_torch_a_number_takes_the_dtype_of_its_variable(torch_ops):
    for dtype in (torch.float32, torch.float64):
        x = torch.tensor(X, dtype=dtype)
        assert torch.equal(torch_ops.scaled(x, 2), x * 2)
        assert torch_ops.scaled(x, 0.5).dtype == dtype


def test_torch_requirements_see_strides_and_dtypes(torch_ops):
    x = torch.tensor(X, requires_grad=True)
    assert torch.autograd.gradcheck(torch_ops.dense_twice, (x,))
    assert torch.equal(torch_ops.dense_twice(x.detach().T), 2 * x.T)
    with pytest.raises(RuntimeError, match="dense_twice"):
        torch_ops.dense_twice(x.T).sum().backward()
    with pytest.raises(RuntimeError, match="dense_twice"):
        torch_ops.dense_twice(x.detach().float().requires_grad_()).sum().backward()


def test_torch_compiled_cases_are_not_mixed_up(torch_ops):
    torch._dynamo.reset()
    compiler = torch.compile(backend="eager")
    for mode in ("sum", "max", "sum"):
        x = torch.tensor(X, requires_grad=True)
        with torch._dynamo.compiled_autograd._enable(compiler):
            torch_ops.pool(x, mode=mode).sum().backward()
        wanted = np.ones_like(X) if mode == "sum" else X == X.max(-1, keepdims=True)
        np.testing.assert_array_equal(x.grad.numpy(), wanted)
        step = torch.compile(
            lambda x: torch_ops.pool(x, mode=mode), fullgraph=True, backend="aot_eager"
        )
        (dx,) = torch.autograd.grad(step(x).sum(), x)
        assert torch.equal(dx, x.grad)


# -- JAX -----------------------------------------------------------------------------


@pytest.mark.parametrize("mode, wrote", [("sum", ""), ("max", "m")])
def test_jax_by_an_attr(jax_ops, written, mode, wrote):
    x = jnp.asarray(X, jnp.float32)
    f = lambda x: jax_ops.pool(x, mode=mode)  # noqa: E731
    jax.block_until_ready(jax.grad(lambda x: f(x).sum())(x))
    assert written() == wrote
    with jax.enable_x64(True):
        check_grads(f, (jnp.asarray(X),), order=2, modes=["rev"])


def test_jax_a_case_without_a_gradient(jax_ops):
    x = jnp.asarray(X, jnp.float32)
    np.testing.assert_array_equal(jax_ops.pool(x, mode="first"), x[:, 0])
    with pytest.raises(TypeError, match="pool: the spec gives no gradient"):
        jax.grad(lambda x: jax_ops.pool(x, mode="first").sum())(x)


def test_jax_by_presence_and_dtype(jax_ops):
    with jax.enable_x64(True):
        x, factor = jnp.asarray(X), jnp.float64(2)
        check_grads(jax_ops.scaled, (x,), order=2, modes=["rev"])
        check_grads(jax_ops.scaled, (x, factor), order=2, modes=["rev"])
    x, factor = jnp.asarray(X, jnp.float32), jnp.float32(2)
    dx, dfactor = jax.grad(lambda *a: jax_ops.scaled(*a).sum(), (0, 1))(x, factor)
    assert (dx == 2).all() and dfactor == 0


def test_jax_requirements_see_strides_and_dtypes(jax_ops):
    with jax.enable_x64(True):
        grad = jax.grad(lambda x: jax_ops.dense_twice(x).sum())
        assert (grad(jnp.asarray(X)) == 2).all()
        assert (jax.jit(grad)(jnp.asarray(X)) == 2).all()
        with pytest.raises(ValueError, match=r"dense_twice: requires bits\(T\) > 32"):
            grad(jnp.asarray(X, jnp.float32))


# -- forward mode --------------------------------------------------------------------


def test_torch_tangents_by_cases(torch_ops):
    x = torch.tensor(X)
    for mode in ("sum", "max"):  # "sum" has a gradient formula, "max" has a backward op
        f = lambda x: torch_ops.pool(x, mode=mode)  # noqa: E731, B023
        jvp = torch.func.jvp(f, (x,), (x.cos(),))[1]
        torch.testing.assert_close(jvp, torch.func.jacrev(f)(x).flatten(1) @ x.cos().flatten())
    with pytest.raises(NotImplementedError, match='pool has no derivative: .*"none"'):
        torch.func.jvp(lambda x: torch_ops.pool(x, mode="first"), (x,), (x,))


def test_torch_tangents_are_those_of_formulas(torch_ops):
    x, factor = torch.tensor(X).float(), torch.tensor(2.0)
    jvp = torch.func.jvp(torch_ops.scaled, (x, factor), (x.cos(), factor))[1]
    assert torch.equal(jvp, 2 * x.cos())  # in the spec `factor` has no gradient in f32
    both = (x.double(), factor.double())
    jvp = torch.func.jvp(torch_ops.scaled, both, both)[1]
    torch.testing.assert_close(jvp, 4 * x.double())


def test_torch_tangents_need_what_gradients_need(torch_ops):
    x = torch.tensor(X)
    with pytest.raises(RuntimeError, match="dense_twice: no gradient of this call"):
        torch.func.jvp(torch_ops.dense_twice, (x.T,), (x.T,))


def test_jax_tangents_by_cases(jax_ops):
    x = jnp.asarray(X, jnp.float32)
    for mode in ("sum", "max"):
        f = lambda x: jax_ops.pool(x, mode=mode)  # noqa: E731, B023
        found = jax.jvp(f, (x,), (jnp.cos(x),))[1]
        wanted = jnp.tensordot(jax.jacrev(f)(x), jnp.cos(x), 2)
        np.testing.assert_allclose(found, wanted, rtol=1e-5)
    with pytest.raises(TypeError, match="pool: the spec gives no gradient"):
        jax.jvp(lambda x: jax_ops.pool(x, mode="first"), (x,), (x,))


def test_jax_tangents_are_those_of_formulas(jax_ops):
    x, factor = jnp.asarray(X, jnp.float32), jnp.float32(2)
    _, tangent = jax.jvp(jax_ops.scaled, (x, factor), (jnp.cos(x), factor))
    np.testing.assert_allclose(tangent, 2 * jnp.cos(x), rtol=1e-6)


def test_jax_tangents_need_what_gradients_need(jax_ops):
    x = jnp.asarray(X, jnp.float32)
    with pytest.raises(ValueError, match="bits"):
        jax.jvp(jax_ops.dense_twice, (x,), (x,))


def test_tangents_of_lists(torch_ops, jax_ops):
    xs = [torch.tensor(X), torch.ones(2).double(), torch.ones(())[None].double()]
    tangents = [xs[0].cos(), xs[1], torch.zeros(1).double()]
    call = lambda xs: tuple(torch_ops.doubled(xs))  # noqa: E731
    _, found = torch.func.jvp(call, (xs,), (tangents,))
    assert all(torch.equal(a, 2 * b) for a, b in zip(found, tangents, strict=True))
    with forward_ad.dual_level():
        duals = map(forward_ad.make_dual, xs, tangents)
        found = [forward_ad.unpack_dual(y).tangent for y in call([*duals])]
    assert all(torch.equal(a, 2 * b) for a, b in zip(found, tangents, strict=True))
    xs, tangents = ([jnp.asarray(x, jnp.float32) for x in each] for each in (xs, tangents))
    _, found = jax.jvp(jax_ops.doubled, (xs,), (tangents,))
    assert all((a == 2 * b).all() for a, b in zip(found, tangents, strict=True))
