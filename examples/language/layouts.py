"""Cases: values in the spec that depend on the call.

The shape of `x` depends on an enum, and the dtype of `y` on a flag. The spec gives one condition a
name.
"""

import jax
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

last_token = language_ops.torch.last_token
x, offsets = torch.arange(24.0).reshape(2, 4, 3), torch.tensor([0, 5, 8], dtype=torch.int32)
assert torch.equal(last_token(x), x[:, -1])
assert torch.equal(last_token(x.reshape(8, 3), offsets), x.reshape(8, 3)[[4, 7]])
try:
    last_token(torch.ones(2, 0, 3))
except ValueError as refused:
    assert "requires a token in each sequence" in str(refused), refused
else:
    raise AssertionError("there is no last token")

last_token = language_ops.jax.last_token
x, offsets = jnp.arange(24.0).reshape(8, 3), jnp.array([0, 5, 8], jnp.int32)
gradient = jax.jit(jax.grad(lambda x: last_token(x, offsets).sum()))
assert gradient(x).sum(1).tolist() == [0, 0, 0, 0, 3, 0, 0, 3]
