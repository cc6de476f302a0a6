"""Train the Llama for some steps, and measure the bytes that the last step moves between processes."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.tensor import DTensor
from torch.distributed.tensor.experimental import implicit_replication
from torch.distributed.tensor.parallel import loss_parallel

from examples import small_llama as sizes
from examples.llama_torch.layouts import Layout, parallelize
from examples.llama_torch.model import model_of
from opgen.testing.torch_collectives import Moved

# AdamW's epsilon in Llama 2. With 1e-8, the rounding of a gradient near 0 may reverse a whole step.
EPS = 1e-5
OURS, NATIVE = "generated.torch", "examples.llama_torch.native"


class Trained(NamedTuple):
    losses: list[float]
    collectives: Counter[str]  # of one step: forward, backward, update
    bytes: int  # that reach this process in it


def train(ops: str, layout: Layout, dtype: torch.dtype = torch.float32) -> Trained:
    """Train the model in this process of a process group. `ops` is the name of a module with ops."""
    module = import_module(ops)
    model = parallelize(model_of(module, dtype), layout)
    optimizer = _optimizer(module, model)
    part = dist.get_rank() // layout.tensor
    losses = []
    for step in range(sizes.STEPS):
        tokens, labels = (x.chunk(layout.parts)[part] for x in _batch(step))
        moved = Moved()
        # Positions, angles and labels are plain tensors, not DTensors. They are the same in all
        # processes that share a part of the batch.
        with moved, implicit_replication():
            with loss_parallel() if layout.splits_loss else nullcontext():
                loss = model(tokens, labels)
                loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        losses.append(_number(loss))
    return Trained(losses, Counter(name for name, _ in moved.calls), moved.bytes)


def exact(parts: int) -> list[float]:
    """Train the native model in one process in float64. Return its losses, each the mean over
    `parts` parts of the batch.
    """
    module = import_module(NATIVE)
    model = model_of(module, torch.float64)
    optimizer = _optimizer(module, model)
    losses = []
    for step in range(sizes.STEPS):
        pairs = zip(*(x.chunk(parts) for x in _batch(step)))
        loss = torch.stack([model(*pair) for pair in pairs]).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses


def _optimizer(module: ModuleType, model: nn.Module) -> torch.optim.Optimizer:
    options = {"lr": sizes.LR, "weight_decay": sizes.DECAY, "eps": EPS}
    return module.AdamW(model.parameters(), **options)


def _batch(step: int) -> tuple[Tensor, ...]:
    return tuple(torch.from_numpy(x).long() for x in sizes.batch(step))


def _number(loss: Tensor) -> float:
    return (loss.full_tensor() if isinstance(loss, DTensor) else loss).item()
