"""The shape of `x` depends on an enum, the dtype of `y` on a flag."""

import jax.numpy as jnp
import torch

import language_ops.jax
import language_ops.torch

x = torch.randn(5, 2, 3).half().requires_grad_()
y = language_ops.torch.heads_first(x, order="THD", wide=True)
assert y.shape == (2, 5, 3) and y.dtype == torch.float32
y.sum().backward()
assert x.grad.shape == x.shape and x.grad.dtype == torch.float16
assert language_ops.torch.heads_first(x, order="HTD").shape == (5, 2, 3)

y = language_ops.jax.heads_first(jnp.ones((5, 2, 3)), order="THD")
assert y.shape == (2, 5, 3) and y.dtype == jnp.float32
