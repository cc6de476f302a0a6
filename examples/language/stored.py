"""An op with a dtype that depends on an option and on the presence of an input.

The weight is stored in 8 bits, or in the dtype of `x`.
"""

import jax
import jax.numpy as jnp
import torch

import language_ops.jax
import language_ops.torch

scaled, storable = language_ops.torch.scaled, language_ops.torch.storable
x, weight = torch.ones(2, 3, requires_grad=True), torch.tensor([-3.0, 1.0, 2.0])
half = torch.tensor(0.5)
for options, scale, dtype in (
    ({}, None, torch.float32),
    ({}, half, torch.float8_e4m3fn),
    ({"mode": "int8"}, half, torch.int8),
):
    stored = storable(weight, scale, **options)
    assert stored.dtype == dtype
    y = torch.compile(scaled, fullgraph=True)(x, stored, scale, **options)
    (dx,) = torch.autograd.grad(y.sum(), x)
    assert y.tolist() == dx.tolist() == [weight.tolist()] * 2

try:
    scaled(x, weight, mode="int8")
except TypeError as refused:
    assert "weight: expected dtype i8, " in str(refused), refused
else:
    raise AssertionError("f32 is no dtype of an int8 weight")

scaled, storable = language_ops.jax.scaled, language_ops.jax.storable
x, weight = jnp.ones((2, 3)), jnp.array([-3.0, 1.0, 2.0])
half = jnp.float32(0.5)
for options, scale, dtype in (
    ({}, None, jnp.float32),
    ({}, half, jnp.float8_e4m3fn),
    ({"mode": "int8"}, half, jnp.int8),
):
    stored = jax.jit(lambda: storable(weight, scale, **options))()
    assert stored.dtype == dtype
    total = lambda x: scaled(x, stored, scale, **options).sum()
    assert jax.grad(total)(x).tolist() == [weight.tolist()] * 2
