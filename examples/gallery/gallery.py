"""Call each op of the gallery in PyTorch and in JAX, and check its results."""

import jax
import jax.numpy as jnp
import numpy as np
import torch

import gallery_ops.jax
import gallery_ops.torch

x = np.array([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]], np.float32)
w = np.array([[1, 2, 3], [-1, 0, 1]], np.int8)


def check(name, expected, *arguments, **attrs):
    """Check that an op returns `expected` in PyTorch and in JAX."""
    ours = getattr(gallery_ops.torch, name)(*_as(torch.tensor, arguments), **attrs)
    theirs = getattr(gallery_ops.jax, name)(*_as(jnp.asarray, arguments), **attrs)
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-6), ours, expected)
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-6), theirs, expected)


def _as(make, arguments):
    return [make(a) if isinstance(a, np.ndarray) else a for a in arguments]


check("softcap", 2 * np.tanh(x / 2), x, cap=2.0)
check("square_sums", (x * x).sum(1), x)
check("add_bias", x + x[0], x, x[0])
check("add_bias", x, x, None)
check("split_rows", [x[:1], x[1:]], x, sizes=[1, 1])
check("take_rows", x[[1, 0, 1]], x, np.array([1, 0, 1]))
check("halve", x / 2, x)

scores = x @ x.T / np.sqrt(3)
weights = np.exp(scores - scores.max(1, keepdims=True))
check("attend", weights / weights.sum(1, keepdims=True) @ x, x, x, x)

# In PyTorch the op updates its input in place. In JAX it returns the new value.
tensor = torch.tensor(x)
gallery_ops.torch.add_scaled_(tensor, tensor.clone(), alpha=2.0)
np.testing.assert_allclose(tensor, 3 * x)
np.testing.assert_allclose(gallery_ops.jax.add_scaled_(x, x, alpha=2.0), 3 * x)

# The seed decides which elements stay. Both frameworks keep the same elements.
ones = np.ones((64, 64), np.float32)
dropped = gallery_ops.torch.drop(torch.tensor(ones), 2**30 + 1)
np.testing.assert_array_equal(dropped, gallery_ops.jax.drop(ones, 2**30 + 1))
assert set(dropped.unique().tolist()) == {0.0, 2.0} and 0.9 < dropped.mean() < 1.1

# A bundle of tensors is one argument. The caller may pass any tuple of tensors.
scale = np.array([0.5, 2.0], np.float32)
expected = x @ (w * scale[:, None]).T
ours = gallery_ops.torch.int8_rows(torch.tensor(x), (torch.tensor(w), torch.tensor(scale)))
np.testing.assert_allclose(ours, expected, rtol=1e-6)
np.testing.assert_allclose(gallery_ops.jax.int8_rows(x, (w, scale)), expected, rtol=1e-6)

# The caller chooses the dtype of the result.
half = torch.ones(3, dtype=torch.bfloat16)
assert gallery_ops.torch.halve(half).dtype == torch.bfloat16
assert gallery_ops.torch.halve(half, wide=True).dtype == torch.float32

# Gradients and transforms come from the specs.
leaf = torch.tensor(x, requires_grad=True)
gallery_ops.torch.softcap(leaf, cap=2.0).sum().backward()
slopes = jax.vmap(jax.grad(lambda row: gallery_ops.jax.softcap(row, cap=2.0).sum()))(x)
np.testing.assert_allclose(leaf.grad, slopes, rtol=1e-4)
