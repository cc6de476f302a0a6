"""`dropout` takes a key of `jax.random`, or a seed and an offset; its random words are Philox's."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from generated.jax import dropout
from tests.references import philox

P = 0.25
X = np.arange(1.0, 43.0, dtype=np.float32).reshape(6, 7)


def wanted(seed: int, offset: int) -> np.ndarray:
    return np.where(philox.keep(seed, offset, (6, 7), P), X / np.float32(1 - P), 0)


@pytest.mark.parametrize("wide", [False, True])
def test_a_seed_and_an_offset(wide: bool) -> None:
    with jax.enable_x64(wide):
        seed = 2**40 + 3 if wide else 12345
        for given in (int, jnp.asarray):
            assert (dropout(X, given(seed), given(3), p=P) == wanted(seed, 3)).all()
            assert (dropout(X, given(seed), p=P) == wanted(seed, 0)).all()


def test_all_is_dropped_at_one() -> None:
    y, dx = jax.value_and_grad(lambda x: dropout(x, 5, p=1.0).sum())(X)
    assert y == 0 and not dx.any()


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("key", [jax.random.key, jax.random.PRNGKey])
def test_a_key(key, wide: bool) -> None:
    with jax.enable_x64(wide):
        one, two = jax.random.split(key(3))
        call = jax.jit(lambda x, key: dropout(x, key, p=P))
        y = dropout(X, one, p=P)
        assert (y == call(X, one)).all() and (y != call(X, two)).any()
        dx = jax.grad(lambda x: dropout(x, one, p=P).sum())(X)
        np.testing.assert_allclose(dx * X, y, rtol=1e-6)
        ys = jax.vmap(call)(jnp.stack([X, X]), jnp.stack([one, two]))
        assert (ys[0] == y).all() and (ys[1] == call(X, two)).all()
    with pytest.raises(TypeError, match="dropout: seed: expected a key of `jax.random`"):
        dropout(X)
