"""Memory layouts: a result with the layout of the input `x`, and an input in which only the last
dims have fixed strides.
"""

import jax
import jax.numpy as jnp
import torch

import language_ops.jax
import language_ops.torch

image = torch.randn(2, 3, 8, 8).to(memory_format=torch.channels_last).requires_grad_()
y = language_ops.torch.square(image)
assert y.is_contiguous(memory_format=torch.channels_last)
assert y.stride() == (image * image).stride() and torch.equal(y, image * image)
y.sum().backward()
assert torch.equal(image.grad, 2 * image)

qkv = torch.randn(5, 3, 2, 4)  # of each token: q, k and v, which have two heads each
q, k, v = qkv.unbind(1)  # not contiguous, and no copies are made
for x in (q, k, v, v.contiguous(), v.mT.contiguous().mT):
    norms = language_ops.torch.head_norms(x)
    torch.testing.assert_close(norms, x.norm(dim=2))
    assert norms.stride() == (1, 5)  # by columns

x = jnp.asarray(qkv.numpy())[:, 1]
norms = jax.jit(language_ops.jax.head_norms)(x)
assert jnp.allclose(norms, jnp.linalg.norm(x, axis=2))
assert jnp.allclose(jax.grad(lambda x: language_ops.jax.square(x).sum())(x), 2 * x)

# Gradient formulas with lists: each tensor of a list has its own gradient. The gradient of an input
# that is not a list is the sum over the list.
xs, factor = [torch.randn(3, 4).T, torch.ones(2)], torch.tensor(2.0, requires_grad=True)
ys = language_ops.torch.scale_all(xs, factor)
assert ys[0].stride() == xs[0].stride() and torch.equal(ys[0], 2 * xs[0])
(ys[0].sum() + 3 * ys[1].sum()).backward()
torch.testing.assert_close(factor.grad, xs[0].sum() + 6)
dxs = jax.grad(lambda xs: language_ops.jax.scale_all(xs, 2.0)[1].sum())([jnp.ones(3), jnp.ones(2)])
assert dxs[0].tolist() == [0, 0, 0] and dxs[1].tolist() == [2, 2]
