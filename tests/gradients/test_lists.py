"""Gradient formulas over lists give a gradient per tensor, and a sum for inputs outside lists."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax")
torch = pytest.importorskip("torch")
jnp = jax.numpy

from jax.test_util import check_grads  # noqa: E402

XS = [np.sin(np.arange(12.0)).reshape(2, 2, 3), np.cos(np.arange(3.0)), np.ones((0, 3))]
WEIGHT = np.array([0.5, -1.0, 2.0])


def plain(xs, scale, weight=None):
    return [scale * (x if weight is None else x * weight) for x in xs]


def total(ys):
    return sum((y * (n + 1) * y).sum() for n, y in enumerate(ys))


def tensors(grad: bool = True):
    arrays = [*XS, np.array(1.5), WEIGHT]
    return [torch.tensor(x, requires_grad=grad) for x in arrays]


@pytest.mark.parametrize("weighted", [True, False])
def test_torch(torch_ops, weighted):
    *xs, scale, weight = tensors()
    last = [scale, weight] if weighted else [scale]
    inputs = [*xs, *last]
    for function in (
        torch_ops.scaled_all,
        torch.compile(torch_ops.scaled_all, backend="aot_eager"),
    ):
        ours = torch.autograd.grad(total(function(xs, *last)), inputs)
        wanted = torch.autograd.grad(total(plain(xs, *last)), inputs)
        for found, each in zip(ours, wanted, strict=True):
            torch.testing.assert_close(found, each)
    call = lambda *args: total(torch_ops.scaled_all(list(args[:2]), *args[2:]))  # noqa: E731
    assert torch.autograd.gradgradcheck(call, [*xs[:2], *last])


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("weighted", [True, False])
def test_torch_lists_that_a_call_may_lack(torch_ops, weighted, count):
    *xs, scale, _ = tensors()
    xs = xs[:count]
    ws = [x.detach().cos().requires_grad_() for x in xs] if weighted else None
    wanted = torch.autograd.grad(
        total([scale * x * (1 if ws is None else ws[n]) for n, x in enumerate(xs)]),
        [*xs, scale, *(ws or [])],
    )
    for function in (
        torch_ops.multiplied_all,
        torch.compile(torch_ops.multiplied_all, backend="aot_eager"),
    ):
        ours = torch.autograd.grad(total(function(xs, scale, ws)), [*xs, scale, *(ws or [])])
        for found, each in zip(ours, wanted, strict=True):
            torch.testing.assert_close(found, each)


def test_torch_gives_what_is_needed(torch_ops):
    *xs, scale, weight = tensors(grad=False)
    xs[1].requires_grad_()
    weight.requires_grad_()
    ys = torch_ops.scaled_all(xs, scale, weight)
    (ys[1] * 2).sum().backward()
    assert xs[0].grad is None and scale.grad is None
    torch.testing.assert_close(xs[1].grad, 2 * scale * weight.detach())
    torch.testing.assert_close(weight.grad, 2 * scale * xs[1].detach())
    assert [tuple(x.grad.shape) for x in (xs[1], weight)] == [(3,), (3,)]


def test_torch_tangents(torch_ops):
    *xs, scale, weight = tensors(grad=False)
    args = (*xs, scale, weight)
    call = lambda *args: torch_ops.scaled_all(list(args[:3]), *args[3:])  # noqa: E731
    native = lambda *args: plain(args[:3], *args[3:])  # noqa: E731
    moves = tuple(x.cos() for x in args)
    ours, wanted = (torch.func.jvp(f, args, moves)[1] for f in (call, native))
    for found, each in zip(ours, wanted, strict=True):
        torch.testing.assert_close(found, each)


@pytest.mark.parametrize("weighted", [True, False])
def test_jax(jax_ops, weighted):
    with jax.enable_x64(True):
        args = ([*map(jnp.asarray, XS)], jnp.float64(1.5), *([WEIGHT] if weighted else []))
        which = tuple(range(len(args)))
        ours = lambda *args: total(jax_ops.scaled_all(*args))  # noqa: E731
        native = lambda *args: total(plain(*args))  # noqa: E731
        wanted = jax.grad(native, which)(*args)
        for function in (ours, jax.jit(ours)):
            jax.tree.map(np.testing.assert_allclose, jax.grad(function, which)(*args), wanted)
        check_grads(ours, args, order=2, modes=["rev", "fwd"])
        squares = lambda xs: total(jax_ops.squared_all(xs))  # noqa: E731
        check_grads(squares, args[:1], order=2, modes=["rev", "fwd"])
        found = jax.grad(squares)(args[0])
        jax.tree.map(
            lambda a, n: np.testing.assert_allclose(a, n),
            found,
            jax.grad(lambda xs: total([x * x for x in xs]))(args[0]),
        )
