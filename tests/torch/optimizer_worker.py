"""One of four processes that train with FSDP2 and tensor parallel.

Run as `optimizer_worker.py RANK STORE`. It compares the rendered AdamW with PyTorch's own: both
make the same steps, and each loads the other's distributed checkpoints.
"""

from __future__ import annotations

import sys

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch import nn
from torch.distributed.checkpoint.state_dict import (
    StateDictOptions,
    get_optimizer_state_dict,
    set_optimizer_state_dict,
)
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import init_device_mesh
from torch.distributed.tensor.debug import CommDebugMode
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

from generated.torch import AdamW

OPTIONS = {"params", "lr", "betas", "eps", "weight_decay", "amsgrad", "maximize"}


def main(rank: int, store: str) -> None:
    dist.init_process_group("gloo", f"file://{store}", rank=rank, world_size=4)
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("data", "heads"))

    def model() -> nn.Module:
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(7, 8), nn.Tanh(), nn.Linear(8, 3), nn.LayerNorm(3))
        plan = {"0": ColwiseParallel(), "2": RowwiseParallel()}
        parallelize_module(net, mesh["heads"], plan)
        return fully_shard(net, mesh=mesh["data"])  # LayerNorm: on one mesh dim

    def step(net: nn.Module, optimizer: torch.optim.Optimizer, seed: int) -> None:
        generator = torch.Generator().manual_seed(10 * seed + mesh["data"].get_local_rank())
        optimizer.zero_grad()
        (net(torch.randn(4, 7, generator=generator)) - 1).square().mean().backward()
        if seed == 2:
            net[3].bias.grad = None  # this parameter makes one step less
        optimizer.step()

    def same() -> None:
        for a, b in zip(nets[0].parameters(), nets[1].parameters(), strict=True):
            torch.testing.assert_close(a.to_local(), b.to_local(), rtol=1e-5, atol=1e-6)
            assert a.placements == b.placements

    nets = [model(), model()]
    optimizers = [
        AdamW(nets[0].parameters(), lr=1e-2),
        torch.optim.AdamW(nets[1].parameters(), lr=1e-2, foreach=False),
    ]
    for seed in range(4):
        for net, optimizer in zip(nets, optimizers):
            step(net, optimizer, seed)
        same()
    assert {p.device_mesh.ndim for p in nets[0].parameters()} == {1, 2}
    with CommDebugMode() as collectives:
        optimizers[0].step()
    assert collectives.get_total_counts() == 0
    optimizers[1].step()

    # Each optimizer loads the other's checkpoints, whole and in files, and then its own of that
    # state.
    for more, (full, own) in enumerate(
        [(True, False), (False, False), (True, True), (False, True)]
    ):
        options = StateDictOptions(full_state_dict=full)
        saved = [get_optimizer_state_dict(*pair, options=options) for pair in zip(nets, optimizers)]
        assert saved[0]["state"].keys() == saved[1]["state"].keys()
        fresh = [
            AdamW(nets[0].parameters()),
            torch.optim.AdamW(nets[1].parameters(), foreach=False),
        ]
        for n, (net, optimizer) in enumerate(zip(nets, fresh)):
            theirs = saved[n if own else 1 - n]
            net.zero_grad()  # with gradients, no state is created
            if not full:
                folder = f"{store}-{n}-{own}"
                dcp.save(theirs, checkpoint_id=folder)
                theirs = get_optimizer_state_dict(net, optimizer, options=options)
                dcp.load(theirs, checkpoint_id=folder)
            set_optimizer_state_dict(net, optimizer, theirs, options=options)
        optimizers = fresh
        steps = [int(optimizers[0].state[p]["step"]) for p in nets[0].parameters()]
        assert steps == [5 + more] * 5 + [4 + more], steps
        assert optimizers[0].param_groups[0]["lr"] == 1e-2
        assert {*optimizers[0].param_groups[0]} == OPTIONS
        for net, optimizer in zip(nets, optimizers):
            step(net, optimizer, 5 + more)
        same()
    dist.destroy_process_group()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
