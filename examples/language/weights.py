"""Bundles: an int8 weight and its scales form one argument, one result and one cotangent."""

import jax
import jax.numpy as jnp
import torch

import language_ops.jax
import language_ops.torch
from language_ops.bundles import Quantized

linear = language_ops.torch.linear
w = language_ops.torch.transposed_quantize(torch.tensor([[1.0, 4.0], [2.0, -3.0]]))
assert type(w) is Quantized and w.data.dtype == torch.int8 and w.zero is None
x = torch.eye(2)
y = torch.compile(linear, fullgraph=True)(x, w)
torch.testing.assert_close(y, torch.tensor([[1.0, 4.0], [2.0, -3.0]]), atol=0.02, rtol=0)
torch.testing.assert_close(linear(x, (w.data, w.scale)), y)  # any tuple will do
scale = w.scale.requires_grad_()
linear(x, w).sum().backward()
torch.testing.assert_close(scale.grad, w.data.sum(1).float())

linear = language_ops.jax.linear
w = language_ops.jax.transposed_quantize(jnp.array([[1.0, 4.0], [2.0, -3.0]]))
x = jnp.eye(2)
assert jnp.allclose(jax.jit(linear)(x, w), y.detach().numpy(), atol=1e-6)
_, pull = jax.vjp(linear, x, w)
_, dw = pull(jnp.ones((2, 2)))
assert type(dw) is Quantized and dw.data.dtype == jax.dtypes.float0
assert jnp.allclose(dw.scale, scale.grad.numpy())

for wrong in (x, (w.data,)):
    try:
        linear(x, wrong)
    except TypeError as refused:
        assert "linear: w: expected a tuple (data, scale, zero)" in str(refused), refused
    else:
        raise AssertionError("a tuple of two or three tensors is expected")
