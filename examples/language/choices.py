"""An op with several kernels. A call runs the first kernel that accepts it, unless the caller
forces one.
"""

import jax.numpy as jnp
import pytest
import torch

import language_ops
import language_ops.jax
import language_ops.torch

row_sums = language_ops.torch.row_sums
assert row_sums.kernels() == {"cpu": ("by_fours", "row_sums")}
assert row_sums.which(torch.ones(2, 8)).kernel == "by_fours"
other = row_sums.which(torch.ones(2, 7))
assert other.kernel == "row_sums" and other.others == {"by_fours": "requires n % 4 == 0"}

for columns in (7, 8):
    assert row_sums(torch.ones(2, columns)).tolist() == [columns] * 2
    assert language_ops.jax.row_sums(jnp.ones((2, columns))).tolist() == [columns] * 2

# Huge and small numbers alternate, so the sum depends on the order, and shows which kernel ran.
x = torch.tensor([[1e8, 1.0, -1e8, 1.0]])
assert row_sums(x).item() == 0
with language_ops.kernels(row_sums="row_sums"):
    assert row_sums(x).item() == 1

# Only the kernel `row_sums` guarantees a fixed order of the sum.
with language_ops.kernels("deterministic"):
    assert row_sums(x).item() == language_ops.jax.row_sums(jnp.asarray(x.numpy())).item() == 1
    assert row_sums.which(x).others == {"by_fours": "requires that deterministic is not asked for"}
assert row_sums.kernels("deterministic") == {"cpu": ("row_sums",)}
torch.use_deterministic_algorithms(True)
assert row_sums(x).item() == 1
torch.use_deterministic_algorithms(False)

with pytest.raises(ValueError, match="by_fives"):
    language_ops.kernels(row_sums="by_fives").__enter__()
