"""Second derivatives of attention and convolution, in forward and reverse mode, in each order."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import pytest
from jax.flatten_util import ravel_pytree

from generated._opgen import jax as _runtime
from generated.jax import conv2d, varlen_attention
from generated.reference import conv2d as conv2d_reference
from generated.reference import varlen_attention as attention_reference
from tests.jax.reference import assert_close, normal

ORDERS = {
    "reverse over reverse": lambda f: jax.jacrev(jax.grad(f)),
    "forward over reverse": lambda f: jax.jacfwd(jax.grad(f)),
    "reverse over forward": lambda f: jax.jacrev(jax.jacfwd(f)),
    "forward over forward": lambda f: jax.jacfwd(jax.jacfwd(f)),
}
LENGTHS = jnp.array([0, 2, 4], jnp.int32)
ATTENTION = {"max_q": 2, "max_k": 2, "scale": 0.5, "causal": True, "window": (-1, -1)}
CONV = {"stride": (1, 1), "padding": (1, 0), "dilation": (1, 1), "groups": 1}
CALLS = {
    "attention": (
        partial(varlen_attention, **ATTENTION),
        partial(attention_reference.varlen_attention, _runtime.xp, **ATTENTION, dropout=0.0),
        [normal(4, 2, 3), normal(4, 1, 3, seed=1), normal(4, 1, 2, seed=2)],
        [LENGTHS, LENGTHS],
    ),
    "convolution": (
        partial(conv2d, **CONV),
        partial(conv2d_reference.conv2d, _runtime.xp, **CONV),
        [normal(1, 2, 3, 3), normal(2, 2, 2, 2, seed=1), normal(2, seed=2)],
        [],
    ),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("call", CALLS)
def test_second_order(call, order):
    op, reference, inputs, others = CALLS[call]
    leaves, join = ravel_pytree(inputs)

    def twice(function):
        loss = lambda x: jnp.sum(jnp.sin(function(*join(x), *others)))  # noqa: E731
        return jax.jit(ORDERS[order](loss))(leaves)

    assert_close(twice(op), twice(reference), k=1024)
