"""The digits network in PyTorch. The relu is an argument."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import nn

from examples.digits.data import Digits
from examples.digits.model import LEARNING_RATE, Layers

Relu = Callable[[torch.Tensor], torch.Tensor]


class MLP(nn.Module):
    """The network. It maps x (`batch features`, f32) to log-probabilities (`batch classes`)."""

    def __init__(self, layers: Layers, relu: Relu) -> None:
        super().__init__()
        self.relu = relu
        self.linears = nn.ModuleList(_linear(*layer) for layer in layers)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        *hidden, last = self.linears
        for linear in hidden:
            x = self.relu(linear(x))
        return nn.functional.log_softmax(last(x), dim=1)


class TorchTrainer:
    """A `Trainer` that trains an `MLP` on the CPU."""

    def __init__(self, data: Digits, layers: Layers, relu: Relu) -> None:
        self.train_x, self.train_y = map(torch.tensor, (data.train_x, data.train_y))
        self.test_x, self.test_y = map(torch.tensor, (data.test_x, data.test_y))
        self.mlp = MLP(layers, relu)
        self.sgd = torch.optim.SGD(self.mlp.parameters(), lr=LEARNING_RATE)

    def epoch(self, batches: Sequence[np.ndarray]) -> None:
        for batch in batches:
            rows = torch.from_numpy(batch)
            self.sgd.zero_grad()
            loss = nn.functional.nll_loss(self.mlp(self.train_x[rows]), self.train_y[rows])
            loss.backward()
            self.sgd.step()

    @torch.no_grad()
    def loss(self) -> float:
        return nn.functional.nll_loss(self.mlp(self.train_x), self.train_y).item()

    @torch.no_grad()
    def accuracy(self) -> float:
        likeliest = self.mlp(self.test_x).argmax(dim=1)
        return (likeliest == self.test_y).float().mean().item()


def _linear(weight: np.ndarray, bias: np.ndarray) -> nn.Linear:
    linear = nn.Linear(weight.shape[1], weight.shape[0])
    with torch.no_grad():
        linear.weight.copy_(torch.from_numpy(weight))
        linear.bias.copy_(torch.from_numpy(bias))
    return linear
