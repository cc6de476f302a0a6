"""Options of a call.

A scalar input also accepts a Python number. An optional input may be omitted. An attr may be a
list.
"""

import jax
import jax.numpy as jnp
import torch

import language_ops.jax
import language_ops.torch

squash = language_ops.torch.squash
x, bias = torch.randn(3, 4), torch.randn(4, requires_grad=True)
y = squash(x, torch.tensor(2.0), scale=0.5)
torch.testing.assert_close(y, 2 * torch.tanh(x / 2))
y = squash(x, torch.tensor(2.0), bias, by="softsign", scale=1.0)
z = x + bias
torch.testing.assert_close(y, 2 * z / (1 + z.abs()))
y.sum().backward()
assert bias.grad.shape == (4,)

squash = language_ops.jax.squash
x, bias = jnp.linspace(-1.0, 1.0, 12).reshape(3, 4), jnp.ones(4)
assert jnp.allclose(squash(x, 2.0, scale=0.5), 2 * jnp.tanh(x / 2), atol=1e-6)
softsign = lambda gain: squash(x, gain, bias, by="softsign", scale=0.5).sum()
assert jnp.allclose(jax.grad(softsign)(2.0), softsign(1.0), rtol=1e-5)

try:
    language_ops.torch.squash(torch.ones(3, 4), torch.tensor(1.0), by="relu")
except ValueError as refused:
    assert "by: expected one of" in str(refused), refused
else:
    raise AssertionError("relu is not among the choices")

polynomial = language_ops.torch.polynomial
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
for coefficients in ([0.5, 2, 3.0], (0.5, 2.0, 3.0)):  # an int is a float, too
    y = polynomial(x, coefficients=coefficients)
    assert (
        y.tolist()
        == polynomial(x.detach(), coefficients=coefficients).tolist()
        == [5.5, 16.5, 33.5]
    )
y.sum().backward()
assert x.grad.tolist() == [8.0, 14.0, 20.0]

polynomial = lambda x: language_ops.jax.polynomial(x, coefficients=[0.5, 2, 3.0]).sum()
x = jnp.array([1.0, 2.0, 3.0])
assert polynomial(x) == 55.5 and jax.jit(jax.grad(polynomial))(x).tolist() == [8.0, 14.0, 20.0]

x, by = torch.zeros(3, requires_grad=True), torch.tensor([1, 2, 3])
y = language_ops.torch.moved(x, by)
y.sum().backward()  # by the op itself, which is given no `by` then
assert y.tolist() == [1.0, 2.0, 3.0] and x.grad.tolist() == [1.0, 1.0, 1.0]
moved = lambda x: language_ops.jax.moved(x, jnp.array([1, 2, 3])).sum()
assert jax.grad(moved)(jnp.zeros(3)).tolist() == [1.0, 1.0, 1.0]
