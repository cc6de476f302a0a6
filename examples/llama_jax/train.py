"""Train the Llama for some steps, and keep the compiled program of a step."""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple

import jax
import jax.numpy as jnp

from examples.llama_jax import model
from examples.llama_jax.layouts import Layout
from examples.small_llama import DECAY, LR, STEPS, batch

# With this option XLA makes the same program, but LLVM compiles it in a fraction of the time.
QUICK = {"xla_backend_optimization_level": 0}


class Trained(NamedTuple):
    losses: list[float]
    program: str  # the optimised HLO of a step


def train(ops: ModuleType, layout: Layout, dtype: str, steps: int = STEPS) -> Trained:
    """Train the model with the ops of the module `ops`, on a mesh of all devices.

    The weights and the optimizer's state are in f32 or f64. `dtype` is the dtype of the matrix
    products.
    """
    optimizer = ops.adamw(LR, weight_decay=DECAY)
    dims = model.DIMS
    spec = "batch", "tokens"

    def stored(tree):
        return jax.tree.map(lambda x, own: layout.at(x, *own), tree, dims)

    def step(params, state, inputs, labels):
        loss = lambda p: model.loss(p, inputs, labels, ops, layout, jnp.dtype(dtype))  # noqa: E731
        value, grads = jax.value_and_grad(loss)(params)
        params, state = optimizer.step(params, stored(grads), state)
        moments, *rest = state
        state = moments._replace(mu=stored(moments.mu), nu=stored(moments.nu)), *rest
        return stored(params), state, value

    with jax.set_mesh(layout.mesh()):
        wide = jnp.promote_types(dtype, jnp.float32)
        start = jax.tree.map(lambda x: x.astype(wide), model.weights())
        params = layout.placed(start, dims)
        data = [layout.placed(batch(n), (spec, spec)) for n in range(steps)]
        state = optimizer.init(params)
        run = jax.jit(step, donate_argnums=(0, 1))
        compiled = run.lower(params, state, *data[0]).compile(QUICK)
        losses = []
        for each in data:
            params, state, value = compiled(params, state, *each)
            losses.append(float(value))
    return Trained(losses, compiled.as_text())
