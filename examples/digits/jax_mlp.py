"""The digits network in JAX. The relu is an argument."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
import numpy as np

from examples.digits.data import Digits
from examples.digits.model import LEARNING_RATE, Layers

Relu = Callable[[jax.Array], jax.Array]


def log_probabilities(layers: Layers, x: jax.Array, relu: Relu) -> jax.Array:
    """Return the log-probabilities of all classes: `batch classes`. x: `batch features`, f32."""
    *hidden, (last_weight, last_bias) = layers
    for weight, bias in hidden:
        x = relu(x @ weight.T + bias)
    return jax.nn.log_softmax(x @ last_weight.T + last_bias, axis=1)


def mean_loss(layers: Layers, x: jax.Array, y: jax.Array, relu: Relu) -> jax.Array:
    """Return the mean negative log-likelihood of the labels. x: `batch features`; y: `batch`."""
    likely = jnp.take_along_axis(log_probabilities(layers, x, relu), y[:, None], axis=1)
    return -jnp.mean(likely)


class JaxTrainer:
    """A `Trainer` that runs each step as one jitted JAX function."""

    def __init__(self, data: Digits, layers: Layers, relu: Relu) -> None:
        self.train_x, self.train_y = map(jnp.asarray, (data.train_x, data.train_y))
        self.test_x, self.test_y = map(jnp.asarray, (data.test_x, data.test_y))
        self.layers = jax.tree.map(jnp.asarray, layers)
        self.relu = relu

        @jax.jit
        def step(layers, x, y, rows):
            slopes = jax.grad(mean_loss)(layers, x[rows], y[rows], relu)
            return jax.tree.map(lambda w, d: w - LEARNING_RATE * d, layers, slopes)

        self.step = step

    def epoch(self, batches: Sequence[np.ndarray]) -> None:
        for batch in batches:
            self.layers = self.step(self.layers, self.train_x, self.train_y, batch)
        jax.block_until_ready(self.layers)

    def loss(self) -> float:
        return mean_loss(self.layers, self.train_x, self.train_y, self.relu).item()

    def accuracy(self) -> float:
        scores = log_probabilities(self.layers, self.test_x, self.relu)
        return jnp.mean(scores.argmax(axis=1) == self.test_y).item()
