"""An op that saves the tensor `length` for its two backward ops.

A backward op runs only if its gradient is needed. Forward mode differentiates the reference. The
bits of a row do not depend on other rows.
"""

import jax
import jax.numpy as jnp
import torch
from torch.profiler import profile

import language_ops.jax
import language_ops.torch

x = torch.randn(5, 4, dtype=torch.float64, requires_grad=True)
weight = torch.randn(4, dtype=torch.float64, requires_grad=True)
torch.autograd.gradcheck(language_ops.torch.unit_rows, (x, weight))

with profile() as profiled:
    language_ops.torch.unit_rows(x, weight.detach()).sum().backward()
names = {event.key for event in profiled.key_averages()}
assert "language_ops::unit_rows_dx" in names
assert "language_ops::unit_rows_dw" not in names

loss = lambda x, weight: language_ops.jax.unit_rows(x, weight).sum()
plain = lambda x, weight: (x / jnp.linalg.norm(x, axis=-1, keepdims=True) * weight).sum()
x, weight = jax.random.normal(jax.random.key(0), (5, 4)), jnp.arange(4.0)
assert jnp.allclose(jax.grad(loss, 1)(x, weight), jax.grad(plain, 1)(x, weight), atol=1e-6)
program = jax.jit(jax.grad(loss)).lower(x, weight).as_text()
assert "unit_rows_dx" in program and "unit_rows_dw" not in program

tangents = (jnp.cos(x), jnp.ones(4))
found, wanted = (jax.jvp(f, (x, weight), tangents)[1] for f in (loss, plain))
assert jnp.allclose(found, wanted, atol=1e-6)
given = (torch.randn(5, 4), torch.randn(4))
rows, tangent = torch.func.jvp(language_ops.torch.unit_rows, given, given)
torch.testing.assert_close(tangent, rows)  # the result scales with `weight`, but not with `x`

x, weight = given
rows = language_ops.torch.unit_rows(x, weight)
assert torch.equal(language_ops.torch.unit_rows(x[3:4], weight), rows[3:4])  # guaranteed

# The op as a module: its class is in a Python file next to the spec.
module = language_ops.torch.UnitRows(4)
torch.testing.assert_close(module(x).norm(dim=-1), torch.ones(5))
module(x).sum().backward()
assert module.weight.grad.shape == (4,)
