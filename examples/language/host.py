"""An op with an input that the host reads. This input must be on the CPU, even if the other inputs
are on a GPU.
"""

import jax
import jax.numpy as jnp
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

import language_ops.jax
import language_ops.torch

segment_sums = language_ops.torch.segment_sums
x, bounds = torch.arange(5.0, requires_grad=True), torch.tensor([0, 2, 2, 5])
y = segment_sums(x, bounds)
assert y.tolist() == [1.0, 0.0, 9.0]
(y * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
assert x.grad.tolist() == [1.0, 1.0, 3.0, 3.0, 3.0]

with FakeTensorMode():  # tensors without values, for which no GPU is needed
    bounds = torch.tensor([0, 2, 2, 5])
    assert segment_sums(torch.empty(5, device="cuda"), bounds).device.type == "cuda"
    try:
        segment_sums(torch.empty(5), torch.empty(4, dtype=torch.int64, device="cuda"))
    except ValueError as refused:
        assert "bounds: expected a tensor on cpu, which the host reads" in str(refused), refused
    else:
        raise AssertionError("the host cannot read a GPU's memory")

x, bounds = jnp.arange(5.0), jnp.array([0, 2, 2, 5])
total = lambda x: (language_ops.jax.segment_sums(x, bounds) * jnp.arange(1.0, 4.0)).sum()
assert jax.grad(total)(x).tolist() == [1.0, 1.0, 3.0, 3.0, 3.0]
