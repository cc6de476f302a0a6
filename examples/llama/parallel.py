"""Train with FSDP2 and tensor parallelism in four processes, with and without sequence parallelism.

The mesh has two axes of two processes. One splits the heads and hidden dims of each layer, and the
other the batch. Without sequence parallelism, only FSDP splits the norms and the embedding. So the
optimizer has parameters on two meshes. With sequence parallelism (`SP`), the activations between
the layers are DTensors that are split by tokens.
"""

from __future__ import annotations

import time
from collections import Counter
from statistics import median
from typing import NamedTuple

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import Replicate, Shard
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    PrepareModuleInput,
    RowwiseParallel,
    SequenceParallel,
    parallelize_module,
)
from transformers import LlamaForCausalLM

from examples.kept import bytes_kept
from examples.llama.train import DTYPES, STEPS, batch, loss_of, model_of, optimizer_of, step_of
from opgen.testing.gloo import everywhere
from opgen.testing.torch_collectives import Moved

PROCESSES = 4
LAYOUTS = {"FSDP2 x TP": False, "FSDP2 x TP+SP": True}  # whether tokens are split


class Run(NamedTuple):
    losses: list[float]  # means over the processes that share the batch
    seconds: float  # the median step
    kept: int  # bytes that a forward keeps for its backward, without parameters
    collectives: Counter[str]  # of one step: forward, backward, update
    moved: int  # bytes that reach this process in it


def trained(layout: str) -> dict[str, Run]:
    """Train all models in four processes, and return the results of the first process.

    The keys name the implementation and the dtype. The models make their steps in turn.
    """
    return everywhere(PROCESSES, _train, LAYOUTS[layout])[0]


def parallelize(model: LlamaForCausalLM, mesh: DeviceMesh, tokens: bool) -> LlamaForCausalLM:
    """Split `model` in place over a mesh with the axes `data` and `heads`. With `tokens`, use
    sequence parallelism.
    """
    if tokens:
        parallelize_module(model, mesh["heads"], _ends())
    for layer in model.model.layers:
        parallelize_module(layer, mesh["heads"], _layer(tokens))
        fully_shard(layer, mesh=mesh["data"])
    return fully_shard(model, mesh=mesh["data"])


def _ends() -> dict:
    """Return the plan for the embedding, the last norm and the head, with sequence parallelism."""
    return {
        "model.embed_tokens": RowwiseParallel(
            input_layouts=Replicate(), output_layouts=Shard(1), use_local_output=False
        ),
        "model.norm": SequenceParallel(),
        "lm_head": ColwiseParallel(input_layouts=Shard(1), output_layouts=Replicate()),
    }


def _layer(tokens: bool) -> dict:
    between = {"output_layouts": Shard(1), "use_local_output": False} if tokens else {}
    split = {f"self_attn.{name}_proj": ColwiseParallel() for name in "qkv"}
    split |= {f"mlp.{name}_proj": ColwiseParallel() for name in ("gate", "up")}
    joined = {f"{name}_proj": RowwiseParallel(**between) for name in ("self_attn.o", "mlp.down")}
    if not tokens:
        return split | joined
    given = {"input_kwarg_layouts": {"hidden_states": Shard(1)}}
    wanted = {"desired_input_kwarg_layouts": {"hidden_states": Replicate()}}
    return {
        **split,
        **joined,
        "input_layernorm": SequenceParallel(),
        "self_attn": PrepareModuleInput(**given, **wanted),
        "post_attention_layernorm": SequenceParallel(),
        "mlp": PrepareModuleInput(input_layouts=Shard(1), desired_input_layouts=Replicate()),
    }


def _train(tokens: bool) -> dict[str, Run]:
    """Train all models in this process of a process group. With `tokens`, use sequence parallelism."""
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("data", "heads"))
    part, parts = mesh["data"].get_local_rank(), mesh["data"].size()
    own = [batch(step).chunk(parts)[part] for step in range(STEPS)]
    trainings = {
        f"{name}, {dtype}": _Training(parallelize(model_of(ours), mesh, tokens), ours, dtype)
        for name, ours in (("native", False), ("ours", True))
        for dtype in DTYPES
    }
    for rows in own:
        for training in trainings.values():
            training.step(rows)
    group = mesh["data"].get_group()
    return {name: training.run(own[0], group) for name, training in trainings.items()}


class _Training:
    """A model with its optimizer, and the losses and times of its steps."""

    def __init__(self, model: nn.Module, ours: bool, dtype: str) -> None:
        self.model, self.autocast = model, dtype == "bf16"
        self.optimizer = optimizer_of(model, ours)
        self.losses: list[float] = []
        self.seconds: list[float] = []

    def step(self, rows: Tensor) -> None:
        start = time.perf_counter()
        loss = step_of(self.model, self.optimizer, rows, self.autocast)
        self.seconds.append(time.perf_counter() - start)
        self.losses.append(loss)

    def run(self, rows: Tensor, group: dist.ProcessGroup) -> Run:
        """Return the results of all steps, with the bytes that one more step moves and saves."""
        with Moved() as moved:
            step_of(self.model, self.optimizer, rows, self.autocast)
        kept = bytes_kept(self.model, lambda: loss_of(self.model, rows, self.autocast))
        losses = torch.tensor(self.losses, dtype=torch.float64)
        dist.all_reduce(losses, group=group)
        means = (losses / group.size()).tolist()
        return Run(
            means, median(self.seconds), kept, Counter(n for n, _ in moved.calls), moved.bytes
        )
