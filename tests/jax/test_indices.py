"""Ops that read by index also report an index out of range in JAX."""

from __future__ import annotations

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from generated.jax import cross_entropy, embedding, embedding_bag, rotary

TABLE = np.ones((7, 4), np.float32)
TURNS = np.ones((5, 4), np.float32)
INDICES = np.int32([[0, 1], [9, -3]])
CALLS = {
    "embedding: indices: expected 0 <= indices < 7, got 9 at [1, 0]": lambda i: embedding(TABLE, i),
    "embedding_bag: indices: expected 0 <= indices < 7, got 9 at [2]": lambda i: embedding_bag(
        TABLE, i.reshape(-1), np.int32([0, 4])
    ),
    "cross_entropy: labels: expected 0 <= labels < 7, got 9 at [2]": lambda i: cross_entropy(
        np.ones((4, 7), np.float32), i.reshape(-1)
    ),
    "rotary: positions: expected 0 <= positions < 5, got 9 at [2]": lambda i: rotary(
        np.ones((4, 2, 6), np.float32), i.reshape(-1), TURNS
    ),
}


@pytest.mark.parametrize("words", CALLS)
@pytest.mark.parametrize("wrap", [lambda f: f, jax.jit])
def test_which_index_is_out_of_range(words: str, wrap) -> None:
    with pytest.raises(Exception, match=f"INVALID_ARGUMENT: {re.escape(words)}"):
        jax.block_until_ready(wrap(CALLS[words])(jnp.asarray(INDICES)))


def test_under_vmap_the_place_is_that_within_a_call() -> None:
    tables = jnp.ones((3, 7, 4))
    with pytest.raises(Exception, match=r"got 9 at \[1, 0\]"):
        jax.block_until_ready(jax.vmap(embedding)(tables, jnp.stack([jnp.asarray(INDICES)] * 3)))
