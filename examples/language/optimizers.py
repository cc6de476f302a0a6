"""An optimizer for PyTorch and one for JAX, in Python files next to the spec. Both use the same op."""

import copy

import jax
import jax.numpy as jnp
import torch

import language_ops.jax
import language_ops.torch

# PyTorch: the optimizer works like torch.optim.SGD, and can load SGD's checkpoints.
model = torch.nn.Linear(3, 2)
twin = copy.deepcopy(model)
ours = language_ops.torch.SGD(model.parameters(), lr=0.1, momentum=0.5)
native = torch.optim.SGD(twin.parameters(), lr=0.1, momentum=0.5)
x = torch.randn(4, 3)
for _ in range(3):
    for net, optimizer in ((model, ours), (twin, native)):
        optimizer.zero_grad()
        net(x).square().sum().backward()
        optimizer.step()
torch.testing.assert_close(model.weight, twin.weight)
ours.load_state_dict(native.state_dict())

# JAX: the optimizer has functions `init` and `update`, as in optax.
optimizer = language_ops.jax.sgd(lambda count: 0.1 / (count + 1.0), momentum=0.5)
params = {"w": jnp.ones((3, 2))}
state = optimizer.init(params)
grads = {"w": jnp.full((3, 2), 2.0)}
updates, after = optimizer.update(grads, state, params)
assert jnp.allclose(updates["w"], -0.2) and after.trace["w"][0, 0] == 2.0

# The function `step` updates parameters in place, in the memory of the donated arrays.
step = jax.jit(optimizer.step, donate_argnums=(0, 2))
new, after = step(params, grads, state)
assert jnp.allclose(new["w"], 0.8) and params["w"].is_deleted()
