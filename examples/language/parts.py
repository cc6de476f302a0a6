"""An op with a size that depends on the device. A Python function computes this size."""

import os

import jax
import jax.numpy as jnp
import torch

import language_ops.jax
import language_ops.torch

column_totals = language_ops.torch.column_totals
x = torch.ones(1000, 3, requires_grad=True)
y, sums = column_totals(x)
assert sums.shape == (len(os.sched_getaffinity(0)), 3) and y.tolist() == [1000.0] * 3
y.sum().backward()
assert (x.grad == 1).all()
_, sums = torch.ops.language_ops.column_totals(x, 7)  # what is passed on is what counts
assert sums.shape == (7, 3) and sums[0].tolist() == [142.0] * 3

y, sums = jax.jit(language_ops.jax.column_totals)(jnp.ones((1000, 3)))
assert sums.shape == (len(os.sched_getaffinity(0)), 3) and y.tolist() == [1000.0] * 3
