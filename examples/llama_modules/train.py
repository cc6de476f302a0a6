"""Train a Llama of either library for some steps."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import numpy as np
import optax

from examples.llama_jax import model as plain_model
from examples.llama_jax.layouts import Layout
from examples.llama_jax.train import QUICK
from examples.llama_modules.parts import BLOCK_WEIGHTS, ENDS, Model, Ops
from examples.small_llama import STEPS, batch

DIMS = {name: (None, *dims) for name, dims in BLOCK_WEIGHTS.items()} | {
    name: (*dims,) for name, dims in ENDS.items()
}


class Trained(NamedTuple):
    losses: list[float]
    program: str  # the optimised HLO of a step
    temporary: int  # bytes that a step allocates on each device, beside state and batch


def train(
    build: Callable[..., Model], ops: Ops, layout: Layout, dtype: str, steps: int = STEPS
) -> Trained:
    """Train a model on a mesh of all devices. Parameters and the optimizer's state are in f32.

    `build` makes the model. Its parameters start with the weights of `examples.llama_jax`, so that
    losses can be compared.
    """
    optimizer = ops.adamw()
    with jax.set_mesh(layout.mesh()):
        made = build(ops, layout, dtype)
        params = placed(made.params, layout)

        def step(params: Any, state: Any, *batch: jax.Array) -> tuple[Any, Any, jax.Array]:
            loss, grads = jax.value_and_grad(made.loss)(params, *batch)
            if hasattr(optimizer, "step"):  # ours gives the new parameters, in place
                return *optimizer.step(params, grads, state), loss
            updates, state = optimizer.update(grads, state, params)
            return optax.apply_updates(params, updates), state, loss

        state = optimizer.init(params)
        data = [layout.placed(batch(n), (("batch", "tokens"),) * 2) for n in range(steps)]
        run = jax.jit(step, donate_argnums=(0, 1)).lower(params, state, *data[0])
        compiled = run.compile(QUICK)
        losses = []
        for each in data:
            params, state, loss = compiled(params, state, *each)
            losses.append(float(loss))
    memory = compiled.memory_analysis().temp_size_in_bytes
    return Trained(losses, compiled.as_text(), memory)


def placed(params: Any, layout: Layout) -> Any:
    """Return parameters like `params`, with the values of `examples.llama_jax`, split by `layout`."""
    start = plain_model.weights()
    layers = jax.tree.map(lambda *each: np.stack(each), *start.pop("layers"))

    def put(path: Any, leaf: jax.Array) -> Any:
        names = re.findall(r"\w+", jax.tree_util.keystr(path))
        name = next(name for name in names if name in layers or name in start)
        value = layers[name] if "layers" in names else start[name]
        assert value.shape == leaf.shape, names
        return layout.placed(value, DIMS.get(name, (None,) * leaf.ndim))

    return jax.tree_util.tree_map_with_path(put, params)
