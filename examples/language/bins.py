"""An op with a result in column order and a result that starts as zeros.

The reference runs if the kernel does not accept a call.
"""

import warnings

import jax.numpy as jnp
import torch

import language_ops.jax
import language_ops.torch

x, bins = torch.arange(12.0).reshape(4, 3), torch.tensor([0, 2, 0, 0])
sums, counts = language_ops.torch.bin_sums(x, bins, bins=3)
assert sums.tolist() == [[15, 18, 21], [0, 0, 0], [3, 4, 5]] and sums.stride() == (1, 3)
assert counts.tolist() == [3, 0, 1]

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    sums, _ = language_ops.torch.bin_sums(torch.ones(4, 5000), bins, bins=3)
assert "a kernel for cpu that does not take this call" in str(said[0].message)
assert (sums.sum(0) == 4).all() and sums.stride() == (1, 3)

for columns in (3, 5000):
    sums, counts = language_ops.jax.bin_sums(
        jnp.ones((4, columns)), jnp.asarray(bins.tolist()), bins=3
    )
    assert sums.shape == (3, columns) and sums[0].max() == 3 and counts.tolist() == [3, 0, 1]
