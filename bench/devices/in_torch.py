"""Trace training steps in PyTorch, with fake tensors in one process of a fake process group."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from types import SimpleNamespace
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch._subclasses import FakeTensorMode
from torch.distributed._functional_collectives import all_to_all_single_autograd
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard
from torch.distributed.tensor.experimental import implicit_replication
from torch.distributed.tensor.parallel import loss_parallel
from torch.testing._internal.distributed.fake_pg import FakeStore

import generated.torch
from bench.devices.layouts import CHOSEN, COUNTS, EXPERT, EXPERTS, TOKENS, layouts, of_layers
from bench.devices.record import Call, Step, measured
from bench.native import torch_peers
from examples.llama_torch import native
from examples.llama_torch.__main__ import SHORT
from examples.llama_torch.layouts import Layout, split_tensors
from examples.llama_torch.model import Attend, Llama
from examples.small_llama import Sizes
from opgen.testing.torch_collectives import Moved


def _of_equal_groups(a: Tensor, b: Tensor, offsets: Tensor) -> Tensor:
    return torch.bmm(a.unflatten(0, (len(b), -1)), b).flatten(0, 1)


def _peer(op: str) -> Any:
    return next(iter(torch_peers()[op].values()))


ROUTING = "topk_softmax", "moe_permute", "moe_unpermute"
OPS: dict[str, Any] = {
    "opgen": generated.torch,
    "native": SimpleNamespace(
        **vars(native),
        **{op: _peer(op) for op in ROUTING},
        grouped_gemm=_of_equal_groups,
    ),
}


def steps() -> Iterator[Step]:
    for devices in COUNTS:
        dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=devices)
        for layout, sizes in layouts(devices).items():
            mesh = init_device_mesh("cpu", (*sizes.values(),), mesh_dim_names=(*sizes,))
            for name, ops in OPS.items():
                traced = partial(calls, ops, mesh)
                yield measured(traced, "PyTorch", devices, layout, name)
        dist.destroy_process_group()


def calls(ops: Any, mesh: DeviceMesh, layers: int) -> list[Call]:
    """Return the collectives in a training step of a model with `layers` layers."""
    with torch.device("meta"):
        model = _model(ops, of_layers(layers), mesh)
    local = TOKENS // mesh["context"].size() if "context" in _names(mesh) else TOKENS
    moved = Moved()
    with FakeTensorMode(allow_non_fake_inputs=True), moved, implicit_replication():
        model.to_empty(device="cpu")
        tokens, labels = torch.zeros(2, 1, local, dtype=torch.int64)
        with loss_parallel() if "tensor" in _names(mesh) else nullcontext():
            model(tokens, labels).backward()
    return [
        (next(short for prefix, short in SHORT.items() if name.startswith(prefix)), size)
        for name, size in moved.calls
    ]


def _names(mesh: DeviceMesh) -> tuple[str, ...]:
    return mesh.mesh_dim_names or ()


def _model(ops: Any, sizes: Sizes, mesh: DeviceMesh) -> nn.Module:
    """Return a model with the given ops, split over `mesh`. The names of the mesh's axes determine
    how it is split.
    """
    model, names = Llama(ops, sizes), _names(mesh)
    for layer in model.layers:
        if "context" in names:
            layer.attention.attend = AttendAll(mesh["context"])
        if "experts" in names:
            layer.mlp = Mixture(ops, sizes, mesh["experts"])
            # Split the rows of each matrix, because there are fewer experts than shards.
            by_row = partial(fully_shard, shard_placement_fn=lambda _: Shard(1))
            by_row(layer.mlp.experts, mesh=mesh["shards"])
    if "tensor" in names:
        split_tensors(model, Layout(tensor=mesh["tensor"].size()), mesh["tensor"])
    for each in (*model.layers, model):
        fully_shard(each, mesh=_of_weights(mesh))
    return model


def _of_weights(mesh: DeviceMesh) -> DeviceMesh:
    """Return the mesh for FSDP. Its axis `shards` splits the weights. All other axes that split
    data hold copies of the weights.
    """
    copies = [name for name in _names(mesh) if name not in ("shards", "tensor")]
    return mesh[(*copies, "shards")] if copies else mesh["shards"]


class AttendAll(Attend):
    """Attention of this device's queries to the keys and values of all devices of `mesh`."""

    def __init__(self, mesh: DeviceMesh) -> None:
        super().__init__()
        self.mesh = mesh

    def forward(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        k, v = (_gathered(x, self.mesh) for x in (k, v))
        return super().forward(q, k, v)


def _gathered(x: Tensor, mesh: DeviceMesh) -> Tensor:
    """Gather the tokens of all devices of `mesh`. The backward scatters the gradient."""
    whole = DTensor.from_local(x, mesh, [Shard(1)]).redistribute(placements=[Replicate()])
    return whole.to_local(grad_placements=[Partial()])


class Experts(nn.Module):
    """The experts on this device. Each of them is an MLP."""

    def __init__(self, ops: Any, count: int, width: int) -> None:
        super().__init__()
        self.ops = ops
        self.gate_up = nn.Parameter(torch.empty(count, width, 2 * EXPERT))
        self.down = nn.Parameter(torch.empty(count, EXPERT, width))

    def forward(self, rows: Tensor, offsets: Tensor) -> Tensor:
        hidden = self.ops.silu_and_mul(self.ops.grouped_gemm(rows, self.gate_up, offsets))
        return self.ops.grouped_gemm(hidden, self.down, offsets)


class Mixture(nn.Module):
    """A mixture of experts that replaces the MLP. The devices of `mesh` share the experts.

    Fake tensors contain no data, so tokens have no routes. Each device sends the same number of
    rows to every other device.
    """

    def __init__(self, ops: Any, sizes: Sizes, mesh: DeviceMesh) -> None:
        super().__init__()
        self.ops, self.mesh = ops, mesh
        self.own = EXPERTS // mesh.size()
        self.router = nn.Linear(sizes.width, EXPERTS, bias=False)
        self.experts = Experts(ops, self.own, sizes.width)

    def forward(self, x: Tensor) -> Tensor:
        tokens, ops = x.flatten(0, -2), self.ops
        weights, ids = ops.topk_softmax(self.router(tokens), k=CHOSEN, renormalize=True)
        rows, offsets, places = ops.moe_permute(tokens, ids, e=EXPERTS)
        counts = self._exchanged(offsets.diff())
        rows = self._exchanged(rows)
        # Rows arrive in the order of the sending devices. Sort them by expert.
        own = torch.arange(self.own, dtype=torch.int32).repeat(self.mesh.size())
        which = own.repeat_interleave(counts, output_size=len(rows))
        rows, offsets, back = ops.moe_permute(rows, which[:, None], e=self.own)
        rows = ops.moe_unpermute(self.experts(rows, offsets), back)
        return ops.moe_unpermute(self._exchanged(rows), places, weights).view_as(x)

    def _exchanged(self, x: Tensor) -> Tensor:
        return all_to_all_single_autograd(x, None, None, self.mesh.get_group())
