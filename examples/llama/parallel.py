"""FSDP2 x tensor parallelism on four processes, of which this is one.

Two processes hold the heads and the hidden dims of each layer, two share the batch. The
norms and the embedding are split by FSDP alone, so that the optimizer has parameters on
two meshes.
"""

from __future__ import annotations

import json
import sys

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
from transformers import LlamaForCausalLM

from examples.llama.train import model_of, optimizer_of, train

PLAN = {
    "self_attn.q_proj": ColwiseParallel(),
    "self_attn.k_proj": ColwiseParallel(),
    "self_attn.v_proj": ColwiseParallel(),
    "self_attn.o_proj": RowwiseParallel(),
    "mlp.gate_proj": ColwiseParallel(),
    "mlp.up_proj": ColwiseParallel(),
    "mlp.down_proj": RowwiseParallel(),
}


def parallelize(model: LlamaForCausalLM, mesh: DeviceMesh) -> LlamaForCausalLM:
    """Split `model` over a mesh with the dims `data` and `heads`, in place."""
    for layer in model.model.layers:
        parallelize_module(layer, mesh["heads"], PLAN)
        fully_shard(layer, mesh=mesh["data"])
    return fully_shard(model, mesh=mesh["data"])


def main(rank: int, store: str) -> None:
    """Print the mean losses of native and swapped training, plain and under autocast."""
    dist.init_process_group("gloo", f"file://{store}", rank=rank, world_size=4)
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("data", "heads"))
    part, parts = mesh["data"].get_local_rank(), mesh["data"].size()
    losses = {}
    for autocast in (False, True):
        for ours in (False, True):
            model = parallelize(model_of(ours), mesh)
            optimizer = optimizer_of(model, ours)
            share = lambda tokens: tokens.chunk(parts)[part]  # noqa: E731
            own = train(model, optimizer, autocast=autocast, shard=share)
            found = torch.tensor(own, dtype=torch.float64)
            dist.all_reduce(found, group=mesh["data"].get_group())
            name = f"{'ours' if ours else 'native'}, {'bf16' if autocast else 'f32'}"
            losses[name] = (found / parts).tolist()
    if rank == 0:
        print(json.dumps(losses))
    dist.destroy_process_group()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
