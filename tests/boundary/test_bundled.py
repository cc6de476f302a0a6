"""A bundle groups tensors into one argument, one result, one cotangent and one C++ struct."""

from __future__ import annotations

import importlib
import io
from types import ModuleType

import numpy as np
import pytest

X = np.float32([[1, 2, 3], [-4, 5, 6]])
DATA, SCALE, ZERO = np.int8([[1, -2, 3], [4, 5, -6]]), np.float32([0.5, 2]), np.float32([1, -1])


def expected(zero: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the product, and the gradients of its sum with respect to `scale` and `zero`."""
    values = DATA - (ZERO[:, None] if zero else 0)
    sums = X.sum(0)
    return X @ (values * SCALE[:, None]).T, values @ sums, -sums.sum() * SCALE


def test_torch(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    from boundary.bundles import Quantized
    from boundary.torch import product

    x, data = torch.from_numpy(X), torch.from_numpy(DATA)
    for zero in (False, True):
        y, dscale, dzero = expected(zero)
        scale = torch.from_numpy(SCALE).requires_grad_()
        zeros = torch.from_numpy(ZERO).requires_grad_() if zero else None
        plain = (data, scale, zeros) if zero else (data, scale)
        for w in (Quantized(data, scale, zeros), plain):
            for run in (product, torch.compile(product, fullgraph=True)):
                scale.grad = None
                found = run(x, w)
                np.testing.assert_allclose(found.detach(), y)
                found.sum().backward()
                np.testing.assert_allclose(scale.grad, dscale)
                if zeros is not None:
                    np.testing.assert_allclose(zeros.grad, dzero)
                    zeros.grad = None
    w = Quantized(data, scale.detach(), zeros.detach())
    rows = torch.func.vmap(product, in_dims=(0, None))(x, w)
    np.testing.assert_allclose(rows, y)
    loss = lambda scale: product(x, w._replace(scale=scale)).sum()  # noqa: E731
    np.testing.assert_allclose(torch.func.grad(loss)(w.scale), dscale)
    exported = torch.export.export(Module(torch, product), (x, w))
    saved = io.BytesIO()
    torch.export.save(exported, saved)
    saved.seek(0)
    for program in (exported, torch.export.load(saved)):
        np.testing.assert_allclose(program.module()(x, w), y)


def Module(torch: ModuleType, product):
    class Call(torch.nn.Module):
        def forward(self, x, w):
            return product(x, w)

    return Call()


def test_jax(boundary: ModuleType) -> None:
    jax = pytest.importorskip("jax")
    from boundary.bundles import Quantized
    from boundary.jax import product
    from jax import export

    x = jax.numpy.asarray(X)
    for zero in (False, True):
        y, dscale, dzero = expected(zero)
        w = Quantized(*map(jax.numpy.asarray, (DATA, SCALE)), jax.numpy.asarray(ZERO))
        w = w if zero else w._replace(zero=None)
        for given in (w, tuple(w) if zero else tuple(w)[:2]):
            for run in (product, jax.jit(product)):
                np.testing.assert_allclose(run(x, given), y)
        np.testing.assert_allclose(jax.vmap(product, in_axes=(0, None))(x, w), y)
        found, pull = jax.vjp(product, x, w)
        _, dw = pull(jax.numpy.ones_like(found))
        assert type(dw) is Quantized and dw.data.dtype == jax.dtypes.float0
        np.testing.assert_allclose(dw.scale, dscale)
        assert dw.zero is None if not zero else np.allclose(dw.zero, dzero)
        loss = lambda x, w: product(x, w).sum()  # noqa: E731
        dx, dw = jax.jit(jax.grad(loss, argnums=(0, 1), allow_int=True))(x, w)
        np.testing.assert_allclose(dw.scale, dscale)
        checks = [export.DisabledSafetyCheck.custom_call("boundary.product")]
        exported = export.export(jax.jit(product), disabled_checks=checks)(x, w)
        np.testing.assert_allclose(export.deserialize(exported.serialize()).call(x, w), y)
        _, dy = jax.jvp(lambda scale: product(x, w._replace(scale=scale)), (w.scale,), (w.scale,))
        np.testing.assert_allclose(dy, y, rtol=1e-5)


@pytest.mark.parametrize("framework", ["torch", "jax"])
def test_results(boundary: ModuleType, framework: str) -> None:
    """A bundle that an op returns has the class of bundle arguments. An absent bundle is None."""
    from boundary.bundles import Pair, Quantized

    ops = importlib.import_module(f"boundary.{framework}")
    array = importlib.import_module({"torch": "torch", "jax": "jax.numpy"}[framework])
    as_array = array.from_numpy if framework == "torch" else array.asarray
    for shift in (False, True):
        rows, q = ops.quantize(as_array(X), shift=shift)
        assert int(rows) == 2 and type(q) is Quantized and (q.zero is not None) == shift
        back = (np.float32(q.data) - (np.asarray(q.zero)[:, None] if shift else 0)) * np.asarray(
            q.scale
        )[:, None]
        np.testing.assert_allclose(back, X, atol=0.04)
        y = ops.product(as_array(X), q)
        np.testing.assert_allclose(y, X @ X.T, atol=0.6)
    one = as_array(np.float32([1, 2])), as_array(np.float32([3, 4]))
    x = as_array(np.asarray(7, np.float32))
    q, y = ops.swapped(x, one)
    assert type(q) is Pair and q.left.tolist() == [6, 8] and q.right.tolist() == [2, 4]
    assert ops.swapped(x)[0] is None and ops.swapped(x, None)[1] == 7


def test_jax_gradient_of_an_optional_bundle(boundary: ModuleType) -> None:
    jax = pytest.importorskip("jax")
    from boundary.bundles import Pair
    from boundary.jax import swapped

    p = Pair(jax.numpy.float32([1, 2]), jax.numpy.float32([3, 4]))
    dp = jax.grad(lambda p: (swapped(jax.numpy.float32(1), p)[0].left ** 2).sum())(p)
    assert type(dp) is Pair and dp.left.tolist() == [0, 0] and dp.right.tolist() == [24, 32]


def test_what_is_no_bundle_is_refused(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import product, swapped

    x, data, scale = torch.from_numpy(X), torch.from_numpy(DATA), torch.from_numpy(SCALE)
    expected = r"product: w: expected a tuple \(data, scale, zero\), got "
    with pytest.raises(TypeError, match=expected + "Tensor"):
        product(x, data)
    with pytest.raises(TypeError, match=expected + "one of 1"):
        product(x, (data,))
    with pytest.raises(TypeError, match="product: w: expected a tuple .*, got NoneType"):
        product(x, None)
    with pytest.raises(ValueError, match="w_scale"):
        product(x, (data, scale[:1]))
    with pytest.raises(TypeError, match="w_data"):
        product(x, (scale, scale))
    with pytest.raises(TypeError, match="p_right"):
        swapped(torch.tensor(1.0), (scale, None))


@pytest.mark.parametrize("framework", ["torch", "jax"])
def test_a_member_without_the_others_is_refused(boundary: ModuleType, framework: str) -> None:
    array = pytest.importorskip({"torch": "torch", "jax": "jax.numpy"}[framework]).asarray
    rows_or = importlib.import_module(f"boundary.{framework}").rows_or

    x, data, scale, zero = map(array, (np.zeros((2, 3), np.float32), DATA, SCALE, ZERO))
    np.testing.assert_allclose(rows_or(x, (data, scale, zero))[:, 0], (DATA[:, 0] - ZERO) * SCALE)
    np.testing.assert_allclose(rows_or(x), 0)
    with pytest.raises(ValueError, match="rows_or: requires `w_data` where there is `w_zero`"):
        rows_or(x, (None, None, zero))
    with pytest.raises(TypeError, match="rows_or: w_scale: expected None unless"):
        rows_or(x, (None, scale))
