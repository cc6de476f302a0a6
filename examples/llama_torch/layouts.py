"""Layouts: how the model is split over processes, written as users of FSDP2 and tensor parallelism
do.

The model with opgen's ops and the model with native ops are split by the same plan.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from torch import nn
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

AXES = ("copies", "shards", "tensor")


@dataclass(frozen=True)
class Layout:
    """The sizes of the mesh's axes. Each axis splits certain dims.

    `copies` and `shards` split the batch. `shards` also splits the weights (FSDP2, or HSDP if there
    are `copies`). `tensor` splits heads, hidden dims and vocabulary. With `sequence`, `tensor` also
    splits the tokens between the layers. With `loss`, it also splits the logits of the loss.
    """

    copies: int = 1
    shards: int = 1
    tensor: int = 1
    sequence: bool = True
    loss: bool = True

    @property
    def sizes(self) -> dict[str, int]:
        """Return the sizes of the axes with more than one process, by name."""
        return {a: getattr(self, a) for a in AXES if getattr(self, a) > 1}

    @property
    def processes(self) -> int:
        return prod(self.sizes.values())

    @property
    def parts(self) -> int:
        """Return the number of parts into which the batch is split."""
        return self.copies * self.shards

    @property
    def splits_loss(self) -> bool:
        return self.tensor > 1 and self.loss

    def mesh(self) -> DeviceMesh:
        sizes = self.sizes
        return init_device_mesh("cpu", (*sizes.values(),), mesh_dim_names=(*sizes,))


def parallelize(model: nn.Module, layout: Layout) -> nn.Module:
    """Split `model` in place by `layout`, and return `model`."""
    mesh = layout.mesh()
    if layout.tensor > 1:
        split_tensors(model, layout, mesh["tensor"])
    data = tuple(name for name in layout.sizes if name != "tensor")
    if data:
        for each in (*model.layers, model):
            fully_shard(each, mesh=mesh[data])
    return model


def split_tensors(model: nn.Module, layout: Layout, mesh: DeviceMesh) -> None:
    """Split heads, hidden dims and vocabulary of `model` over `mesh`, in place."""
    parallelize_module(model, mesh, _ends(layout))
    for layer in model.layers:
        parallelize_module(layer, mesh, _layer(layout))


def _ends(layout: Layout) -> dict:
    """Return the plan for the embedding, the last norm and the head."""
    between = Shard(1) if layout.sequence else Replicate()
    logits = Shard(-1) if layout.loss else Replicate()
    kept = {"use_local_output": not layout.sequence}
    return {
        "embedding": RowwiseParallel(input_layouts=Replicate(), output_layouts=between, **kept),
        "head": ColwiseParallel(
            input_layouts=between, output_layouts=logits, use_local_output=not layout.loss
        ),
        **({"norm": SequenceParallel()} if layout.sequence else {}),
    }


def _layer(layout: Layout) -> dict:
    split = ColwiseParallel(use_local_output=False)
    between = Shard(1) if layout.sequence else Replicate()
    joined = RowwiseParallel(output_layouts=between, use_local_output=not layout.sequence)
    heads = (Shard(2),) * 3
    local = PrepareModuleInput(
        input_layouts=heads, desired_input_layouts=heads, use_local_output=True
    )
    plan = {
        **{f"attention.{name}": split for name in "qkv"},
        "attention.attend": local,
        "attention.o": joined,
        "mlp.gate_up": split,
        "mlp.down": joined,
    }
    if layout.sequence:
        whole = (Replicate(), None, None)
        plan |= {
            "attention_norm": SequenceParallel(),
            "attention": PrepareModuleInput(
                input_layouts=(Shard(1), None, None), desired_input_layouts=whole
            ),
            "mlp_norm": SequenceParallel(),
            "mlp": PrepareModuleInput(input_layouts=Shard(1), desired_input_layouts=Replicate()),
        }
    return plan


LAYOUTS = {
    "FSDP2": Layout(shards=4),
    "HSDP": Layout(copies=2, shards=2),
    "TP": Layout(tensor=4, sequence=False, loss=False),
    "TP, split loss": Layout(tensor=4, sequence=False),
    "TP+SP": Layout(tensor=4, loss=False),
    "TP+SP, split loss": Layout(tensor=4),
    "FSDP2 x TP+SP, split loss": Layout(shards=2, tensor=2),
    "FSDP2, 8": Layout(shards=8),
    "HSDP, 8": Layout(copies=2, shards=4),
    "TP+SP, 8, split loss": Layout(tensor=8),
    "FSDP2 x TP+SP, 8, split loss": Layout(shards=4, tensor=2),
    "HSDP x TP+SP, 8, split loss": Layout(copies=2, shards=2, tensor=2),
}
