"""The parts of the digits network that PyTorch and JAX share: sizes, initial weights, and the
interface of a trainer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from examples.digits.data import CLASSES, Digits

HIDDEN = (120, 84)
LEARNING_RATE = 0.01
BATCH = 32
SEED = 0

Layers = tuple[tuple[np.ndarray, np.ndarray], ...]


class Trainer(Protocol):
    """A network that SGD trains. All layers except the last have a relu, and the last has a
    log-softmax.
    """

    def epoch(self, batches: Sequence[np.ndarray]) -> None:
        """Make one step for each batch of indices. Return when the last step is done."""

    def loss(self) -> float:
        """Return the mean negative log-likelihood of the training labels, in nats."""

    def accuracy(self) -> float:
        """Return the share of held-out digits for which the most likely class is the label."""


def initial_layers(data: Digits) -> Layers:
    """Return the initial weight (shape `out in`) and bias (shape `out`) of each layer, in f32.

    The numbers are uniform between -1/sqrt(in) and 1/sqrt(in), as in torch.nn.Linear.
    """
    generator = np.random.default_rng(SEED)
    sizes = (data.features, *HIDDEN, CLASSES)
    layers = []
    for fan_in, fan_out in zip(sizes[:-1], sizes[1:]):
        bound = fan_in**-0.5
        weight = generator.uniform(-bound, bound, (fan_out, fan_in))
        bias = generator.uniform(-bound, bound, fan_out)
        layers.append((weight.astype(np.float32), bias.astype(np.float32)))
    return tuple(layers)
