"""Train the Llama of `examples/llama_jax` on text. Each step is one compiled program."""

from __future__ import annotations

from types import ModuleType

import jax
import jax.numpy as jnp
from jax.sharding import AxisType

from examples.llama_jax import model
from examples.llama_jax.layouts import Layout
from examples.small_llama import DECAY, LR
from examples.text.data import Batch


class Training:
    """The Llama with the ops of the module `ops`, its parameters and its optimizer's state."""

    def __init__(self, ops: ModuleType, batch: Batch) -> None:
        optimizer, layout = ops.adamw(LR, weight_decay=DECAY), Layout()

        def loss(params, inputs, labels):
            return model.loss(params, inputs, labels, ops, layout, jnp.dtype("float32"))

        def step(params, state, *batch):
            value, grads = jax.value_and_grad(loss)(params, *batch)
            return *optimizer.step(params, grads, state), value

        # The model's sharding constraints need a mesh. This mesh has one device.
        self.mesh = jax.make_mesh((1,), ("data",), (AxisType.Auto,))
        with jax.set_mesh(self.mesh):
            self.params = jax.tree.map(jnp.asarray, model.weights())
            self.state = optimizer.init(self.params)
            lowered = jax.jit(step, donate_argnums=(0, 1)).lower(self.params, self.state, *batch)
            self.run = lowered.compile()
        self.test = jax.jit(loss)
        self.kept = self.run.memory_analysis().temp_size_in_bytes

    def step(self, batch: Batch) -> float:
        """Make one training step, and return the loss before the update."""
        self.params, self.state, value = self.run(self.params, self.state, *batch)
        return float(value)

    def loss(self, batch: Batch) -> float:
        with jax.set_mesh(self.mesh):
            return float(self.test(self.params, *batch))

    def graph_breaks(self, batch: Batch) -> None:
        """Return None, because JAX compiles a step to one program and has no graph breaks."""
