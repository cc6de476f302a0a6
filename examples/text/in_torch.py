"""Train the Llama of `examples/llama_torch` on text, in eager mode and on one thread."""

from __future__ import annotations

from types import ModuleType

import torch
from torch import Tensor

from examples.kept import bytes_kept
from examples.llama_torch.model import model_of
from examples.small_llama import DECAY, LR
from examples.text.data import Batch


class Training:
    """The Llama with the ops of the module `ops`, and its optimizer."""

    def __init__(self, ops: ModuleType, batch: Batch) -> None:
        torch.set_num_threads(1)
        self.model = model_of(ops, torch.float32)
        self.optimizer = ops.AdamW(self.model.parameters(), lr=LR, weight_decay=DECAY)
        self.kept = bytes_kept(self.model, lambda: self.model(*_tensors(batch)))

    def step(self, batch: Batch) -> float:
        """Make one training step, and return the loss before the update."""
        loss = self.model(*_tensors(batch))
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
        return loss.item()

    def loss(self, batch: Batch) -> float:
        with torch.no_grad():
            return self.model(*_tensors(batch)).item()

    def graph_breaks(self, batch: Batch) -> int:
        """Return the number of graph breaks if `torch.compile` compiles the forward."""
        return torch._dynamo.explain(self.model)(*_tensors(batch)).graph_break_count


def _tensors(batch: Batch) -> list[Tensor]:
    return [torch.from_numpy(each).long() for each in batch]
