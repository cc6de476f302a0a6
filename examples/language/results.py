"""Results of ops: optional results, `out=`, lists, and an input that only some calls update.

The op `moments` has two kernel functions, and each call runs one of them.
"""

import jax
import jax.numpy as jnp
import torch

import language_ops.jax
import language_ops.torch

moments = language_ops.torch.moments
x = torch.randn(5, 4, dtype=torch.float64)
mean, variance = moments(x)
assert torch.allclose(mean, x.mean(1)) and variance is None
mean, variance = moments(x, spread=True)
assert torch.allclose(variance, x.var(1, correction=0))

out = torch.empty(5, dtype=torch.float64), None
assert moments(x, out=out) is out and torch.equal(out[0], mean)
both = torch.empty_like(mean), torch.empty_like(mean)
moments(x, spread=True, out=both)
assert torch.equal(both[0], mean) and torch.equal(both[1], variance)
try:
    moments(x, spread=True, out=out)
except ValueError as refused:
    assert "variance: expected a tensor, got None" in str(refused), refused
else:
    raise AssertionError("there is nowhere to write the variance to")

x = torch.arange(12.0).reshape(6, 2).requires_grad_()
first, second, third = language_ops.torch.split_rows(x, sizes=[1, 2, 3])
assert torch.equal(second, x[1:3]) and third.shape == (3, 2)
(2 * first.sum() + third.sum()).backward()
assert x.grad[:, 0].tolist() == [2, 0, 0, 1, 1, 1]

total = torch.ones(3)
accumulate = language_ops.torch.accumulate
assert accumulate(total, total + 1)[0].tolist() == [3, 3, 3] and total.tolist() == [1, 1, 1]
assert accumulate(total, torch.ones(3), in_place=True)[1] is total and total.tolist() == [2, 2, 2]

# Programs that call `torch.ops.old_ops` need no change. Compiled calls work too.
sum_ = torch.empty(3)
assert torch.ops.old_ops.add(sum_, total, b=total + 1) is None and sum_.tolist() == [5, 5, 5]
torch.compile(torch.ops.old_ops.add, backend="aot_eager")(sum_, total, total)
assert sum_.tolist() == [4, 4, 4] and total.tolist() == [2, 2, 2]

moments = language_ops.jax.moments
x = jnp.arange(20.0).reshape(5, 4)
assert moments(x)[1] is None
mean, variance = jax.jit(lambda x: moments(x, spread=True))(x)
assert jnp.allclose(mean, x.mean(1)) and jnp.allclose(variance, x.var(1))
slope = jax.grad(lambda x: moments(x, spread=True)[1].sum())(x)
assert jnp.allclose(slope, (x - x.mean(1, keepdims=True)) / 2)

split_rows = jax.jit(language_ops.jax.split_rows, static_argnames="sizes")
first, second = split_rows(jnp.ones((5, 2)), sizes=(2, 3))
assert first.shape == (2, 2) and second.shape == (3, 2)

accumulate = language_ops.jax.accumulate
total, new = accumulate(jnp.ones(3), jnp.ones(3))
assert total.tolist() == [2, 2, 2] and new.tolist() == [1, 1, 1]
total, new = accumulate(jnp.ones(3), jnp.ones(3), in_place=True)
assert new.tolist() == [2, 2, 2]
