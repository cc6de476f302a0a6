"""A random op. PyTorch draws its seed, so `torch.manual_seed` makes results repeatable. JAX derives
the seed from a key.

The gradient uses the same mask as the call.
"""

import jax
import jax.numpy as jnp
import torch

import language_ops.jax
import language_ops.torch

masked = language_ops.torch.masked
x = torch.ones(64, requires_grad=True)
torch.manual_seed(0)
y, other = masked(x, p=0.25), masked(x, p=0.25)
assert not torch.equal(y, other) and 32 < y.count_nonzero() < 64
torch.manual_seed(0)
assert torch.equal(masked(x, p=0.25), y)
y.sum().backward()
assert torch.equal(x.grad, y)
generator = torch.Generator().manual_seed(1)
assert not torch.equal(masked(x, generator), masked(x, generator))
assert torch.equal(masked(x, 5), masked(x, torch.tensor(5)))

masked = language_ops.jax.masked
x = jnp.ones(64)
one, two = jax.random.split(jax.random.key(0))
assert (masked(x, one) == masked(x, one)).all() and (masked(x, one) != masked(x, two)).any()
assert (jax.grad(lambda x: masked(x, one).sum())(x) == masked(x, one)).all()
try:
    masked(x)
except TypeError as refused:
    assert "JAX draws no seed by itself" in str(refused), refused
else:
    raise AssertionError("JAX has no generator to draw from")

# The op can replace the layers of an existing model. A class in a file next to the spec defines how.
model = torch.nn.Sequential(torch.nn.Dropout(0.25), torch.nn.Dropout(inplace=True))
with language_ops.torch.patch(model) as done:
    assert [row.op for row in done.layers] == ["masked", None]
    assert done.layers[1].reason == "masked needs `not self.inplace`"
    y = model[0](torch.ones(1000))
    assert {*y.tolist()} == {0.0, torch.ones(1).div(0.75).item()}
    assert torch.equal(model.eval()(y), y)
