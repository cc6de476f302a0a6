"""`padding_idx` of `embedding` in JAX: that row of the table is a constant."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from generated.jax import embedding

PADDINGS = [None, 0, 3, -1, -7]


def native(weight: jax.Array, indices: jax.Array, padding: int | None) -> jax.Array:
    if padding is not None:
        row = jax.lax.stop_gradient(weight[padding])
        weight = weight.at[padding].set(row)
    return jnp.take(weight, indices, axis=0)


def ours(weight: jax.Array, indices: jax.Array, padding: int | None) -> jax.Array:
    return embedding(weight, indices, padding_idx=padding)


def three_orders(function, weight, indices, padding, given):
    """Return the result and its derivatives of first, second and third order."""
    dy, ddweight, dddy = given
    pull = lambda dy: jax.vjp(lambda w: function(w, indices, padding), weight)[1](dy)[0]
    pull_again = lambda ddweight: jax.vjp(pull, dy)[1](ddweight)[0]
    third = jax.vjp(pull_again, ddweight)[1](dddy)[0]
    return function(weight, indices, padding), pull(dy), pull_again(ddweight), third


@pytest.mark.parametrize("padding", PADDINGS)
@pytest.mark.parametrize(
    ("dtype", "kind", "jit"),
    [
        ("float32", "int32", False),
        ("float32", "int64", True),
        ("bfloat16", "int64", True),
        ("float16", "int32", True),
        ("float64", "int64", True),
    ],
)
def test_padding_is_as_in_plain_jax(padding, dtype, kind, jit) -> None:
    """The padding row is looked up, but gets no gradient and passes none in second derivatives."""
    draw = np.random.default_rng(0)
    wide = "float64" if dtype == "float64" else "float32"
    with jax.enable_x64(True):
        for shape, columns in (((), 4), ((0,), 4), ((3, 5, 7), 33)):
            y, table = (*shape, columns), (7, columns)
            indices = jax.device_put(draw.integers(0, 7, shape).astype(kind))
            floats = [draw.standard_normal(size) for size in (table, y, table, y)]
            weight, *given = (jax.device_put(np.asarray(x, dtype)) for x in floats)
            orders = lambda f, w, *xs: three_orders(f, w, indices, padding, xs)
            call = partial(orders, ours)
            found = (jax.jit(call) if jit else call)(weight, *given)
            exact = (x.astype(wide) for x in (weight, *given))
            wanted = jax.jit(partial(orders, native))(*exact)
            for n, (mine, true) in enumerate(zip(found, wanted, strict=True)):
                assert mine.dtype == dtype
                near = 0 if n in (0, 2) else float(jnp.finfo(dtype).eps)
                mine, true = (np.asarray(x, np.float64) for x in (mine, true))
                np.testing.assert_allclose(mine, true, rtol=near, atol=16 * near)


@pytest.mark.parametrize("padding", PADDINGS)
@pytest.mark.parametrize("axes", [(0, 0), (0, None), (None, 0)])
def test_padding_under_vmap(padding, axes) -> None:
    draw = np.random.default_rng(0)
    batch = draw.standard_normal((3, 7, 5)).astype("float32"), draw.integers(0, 7, (3, 2, 4))
    batch = [x if axis == 0 else x[0] for x, axis in zip(batch, axes)]
    gradient = lambda f: jax.grad(lambda w, i: (f(w, i, padding) ** 2).sum())
    for make in (lambda f: lambda w, i: f(w, i, padding), gradient):
        found, wanted = (jax.jit(jax.vmap(make(f), axes))(*batch) for f in (ours, native))
        np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("padding", [7, -8, 2**40])
@pytest.mark.parametrize("wrap", [lambda f: f, jax.jit])
def test_padding_that_is_no_row(padding: int, wrap) -> None:
    call = wrap(lambda w, i: ours(w, i, padding))
    with pytest.raises(ValueError, match="requires a padding_idx among the rows"):
        call(np.ones((7, 4), np.float32), np.arange(4))


@pytest.mark.parametrize("padding", [None, -1, 6])
def test_padding_is_no_other_name_of_an_index(padding: int | None) -> None:
    """An index of -1 is out of range, forward and backward, though NumPy counts from the end."""
    weight, bad = np.ones((7, 4), np.float32), np.int32([0, -1])
    grad = jax.grad(lambda w: ours(w, bad, padding).sum())
    for call in (lambda w: ours(w, bad, padding), grad, jax.jit(grad)):
        with pytest.raises(Exception, match=r"indices: expected 0 <= indices < 7, got -1 at \[1\]"):
            jax.block_until_ready(call(weight))
