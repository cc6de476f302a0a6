"""Shapes: `*batch` stands for any number of dims, and the spec computes the size `m` from other
sizes.

A requirement rejects calls in which `width` does not fit.
"""

import jax
import jax.numpy as jnp
import torch

import language_ops.jax
import language_ops.torch

x = torch.arange(12.0).reshape(2, 6).requires_grad_()
sums = language_ops.torch.window_sums(x, width=3, step=2)
assert sums.tolist() == [[3.0, 9.0], [21.0, 27.0]]
sums.sum().backward()
assert x.grad[0].tolist() == [1.0, 1.0, 2.0, 1.0, 1.0, 0.0]

sums = jax.vmap(lambda x: language_ops.jax.window_sums(x, width=3, step=2))
assert sums(jnp.arange(12.0).reshape(2, 6)).tolist() == [[3.0, 9.0], [21.0, 27.0]]

for call, x in (
    (language_ops.torch.window_sums, torch.ones(2)),
    (language_ops.jax.window_sums, jnp.ones(2)),
):
    try:
        call(x, width=3)
    except ValueError as refused:
        message = "window_sums: requires a window that fits, got width = 3, n = 2 (n of x)"
        assert str(refused) == message, refused
    else:
        raise AssertionError("a window of 3 does not fit into 2")
