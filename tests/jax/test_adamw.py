"""AdamW in JAX takes over what is donated to it, and leaves alone what is not."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from generated.jax import adamw_

SHAPES = [(300, 70), (5,)]


def lists() -> list[list[jax.Array]]:
    """Params, grads and both moments."""
    key = jax.random.key(0)
    return [[jax.random.uniform(key, shape) for shape in SHAPES] for _ in range(4)]


def test_donated_buffers_are_updated_in_place() -> None:
    params, grads, avgs, squares = lists()
    step, lr = jnp.float32(0), jnp.float32(0.1)
    jitted = jax.jit(adamw_, donate_argnums=(0, 2, 3, 4))
    text = jitted.lower(params, grads, avgs, squares, step, lr).compile().as_text()
    assert text.count("may-alias") + text.count("must-alias") == 7
    assert " copy(" not in text
    places = [x.unsafe_buffer_pointer() for x in (*params, *avgs, *squares)]
    results = jax.block_until_ready(jitted(params, grads, avgs, squares, step, lr))
    found = [x.unsafe_buffer_pointer() for each in results[:3] for x in each]
    assert found == places
    assert all(x.is_deleted() for x in (*params, *avgs, *squares))


def test_others_are_kept() -> None:
    params, grads, avgs, squares = lists()
    before = [np.array(x) for each in (params, avgs, squares) for x in each]
    step = jnp.float32(4)
    results = adamw_(params, grads, avgs, squares, step, jnp.float32(0.1))
    after = [np.array(x) for each in (params, avgs, squares) for x in each]
    for a, b in zip(before, after, strict=True):
        np.testing.assert_array_equal(a, b)
    assert step == 4 and results[3] == 5
    assert not np.array_equal(results[0][0], params[0])
