"""Sizes that a Python function computes, in JAX."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

LENGTHS = {
    (7, False): 8,
    (31, False): 32,
    (33, False): 36,
    (41, True): 48,
    (1, True): 2,
    (45, False): 45,
}


def drawn(*shape, dtype=jnp.float32):
    rng = np.random.default_rng()
    return jnp.asarray(rng.standard_normal(shape), dtype)


def expected(x, m, window=None):
    y = jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, m - x.shape[-1])])
    return y if window is None else y * window


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.bfloat16])
@pytest.mark.parametrize("given", LENGTHS)
def test_a_call(jax_ops, dtype, given):
    (n, even), m = given, LENGTHS[given]
    x, window = drawn(3, 2, n, dtype=dtype), drawn(m, dtype=dtype)
    np.testing.assert_array_equal(jax_ops.pad(x, even=even), expected(x, m))
    y = jax_ops.pad(x, window, even=even)
    np.testing.assert_array_equal(y, expected(x, m, window))


def test_abstract_evaluation(jax_ops):
    x = jax.ShapeDtypeStruct((4, 33), jnp.float32)
    assert jax.eval_shape(jax_ops.pad, x).shape == (4, 36)


def test_jit(jax_ops):
    compiled = jax.jit(lambda x: jax_ops.pad(2 * x) + 1)
    for (n, even), m in LENGTHS.items():
        if not even:
            x = drawn(2, n)
            np.testing.assert_array_equal(compiled(x), expected(2 * x, m) + 1)


def test_an_input_of_that_size_is_checked(jax_ops):
    with pytest.raises(ValueError, match=r"pad: window: expected shape \(8,\).*\(7,\)"):
        jax_ops.pad(jnp.ones((2, 7)), jnp.ones(7))
    with pytest.raises(TypeError, match="pad: x: expected at least 1 dims"):
        jax_ops.pad(jnp.float32(1))


def test_gradients(jax_ops):
    x, window = drawn(2, 7), drawn(8)

    def loss(x):
        return (jax_ops.pad(x, window) ** 2).sum()

    wanted = 2 * x * window[:7] ** 2
    np.testing.assert_allclose(jax.jit(jax.grad(loss))(x), wanted, rtol=1e-6)
    second = jax.grad(lambda x: jax.grad(loss)(x).sum())(x)
    np.testing.assert_allclose(second, jnp.broadcast_to(2 * window[:7] ** 2, x.shape), rtol=1e-6)


def test_vmap(jax_ops):
    x = drawn(2, 4, 3, 33)
    y = jax.vmap(jax_ops.pad, in_axes=1)(x)
    np.testing.assert_array_equal(y, expected(jnp.swapaxes(x, 0, 1), 36))


def framed(edge, x, both):
    m = -(-x.shape[-1] // 4) * 4
    return expected(x, m, both[:m] + both[m:]), edge[m:]


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.bfloat16])
def test_a_size_inside_terms(jax_ops, dtype):
    for n in (1, 7, 8, 30):
        m = -(-n // 4) * 4
        edge, x, both = (drawn(*s, dtype=dtype) for s in ((m + 3,), (2, n), (2 * m,)))
        wanted, pull = jax.vjp(lambda edge, x: framed(edge, x, both), edge, x)  # noqa: B023
        cotangents = tuple(drawn(*y.shape, dtype=dtype) for y in wanted)
        for call in (jax_ops.framed, jax.jit(jax_ops.framed)):
            found, ours = jax.vjp(lambda edge, x: call(edge, x, both), edge, x)  # noqa: B023
            for a, b in zip((*found, *ours(cotangents)), (*wanted, *pull(cotangents)), strict=True):
                np.testing.assert_allclose(
                    np.float64(a), np.float64(b), rtol=2e-2, atol=2e-2, strict=True
                )
    batched = jax.vmap(jax_ops.framed, in_axes=(None, 0, None))
    np.testing.assert_allclose(batched(edge, x[None], both)[0][0], framed(edge, x, both)[0], 2e-2)
    with pytest.raises(ValueError, match=r"framed: both: expected shape \(16,\)"):
        jax_ops.framed(jnp.ones(9), jnp.ones((2, 7)), jnp.ones(14))
