"""An op that updates its inputs in place.

In PyTorch the op changes the tensors and returns them. In JAX it returns new arrays, in the memory
of the donated ones.
"""

import jax
import jax.numpy as jnp
import torch

import language_ops.jax
import language_ops.torch

averages, values = [torch.zeros(2, 3), torch.zeros(())], [torch.ones(2, 3), torch.ones(())]
version = averages[0]._version
result = language_ops.torch.average_(averages, values, rate=0.25)
assert result[0] is averages[0] and averages[0]._version > version
assert averages[0].unique().tolist() == [0.25] and averages[1].item() == 0.25

averages, values = [jnp.zeros((2, 3)), jnp.zeros(())], [jnp.ones((2, 3)), jnp.ones(())]
update = lambda averages, values: language_ops.jax.average_(averages, values, rate=0.25)
new = jax.jit(update, donate_argnums=0)(averages, values)
assert jnp.unique(new[0]).tolist() == [0.25] and averages[0].is_deleted()
