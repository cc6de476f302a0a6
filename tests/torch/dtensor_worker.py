"""One of two processes that hold shards: `dtensor_worker.py RANK STORE`."""

from __future__ import annotations

import sys

import torch
import torch.distributed as dist


def main(rank: int, store: str) -> None:
    dist.init_process_group("gloo", f"file://{store}", rank=rank, world_size=2)
    import generated.torch as ops

    assert "torch.distributed.tensor" not in sys.modules
    from torch.distributed.tensor import Partial, Replicate, Shard, distribute_tensor
    from torch.distributed.tensor import init_device_mesh
    from torch.distributed.tensor.debug import CommDebugMode

    mesh = init_device_mesh("cpu", (2,))
    torch.manual_seed(0)
    x, weight, dy = torch.randn(6, 5, 8), torch.randn(8), torch.randn(6, 5, 8)

    def split(tensor, dim=None):
        placement = Replicate() if dim is None else Shard(dim)
        return distribute_tensor(tensor, mesh, [placement]).requires_grad_()

    def gradients(x, weight, dy, eps):
        y = ops.rms_norm(x, weight, eps=eps)
        return y, *torch.autograd.grad(y, (x, weight), dy)

    # A batch dim is split, evenly or not: no collective, a sum that is still to be made.
    for dim in (0, 1):
        shards = split(x, dim), split(weight), split(dy, dim)
        with CommDebugMode() as collectives:
            y, dx, dweight = gradients(*shards, 1e-3)
        assert collectives.get_total_counts() == 0, collectives.get_comm_counts()
        assert y.placements == dx.placements == (Shard(dim),)
        assert dweight.placements == (Partial("sum"),)
        whole = x.clone().requires_grad_(), weight.clone().requires_grad_(), dy
        for got, wanted in zip((y, dx, dweight), gradients(*whole, 1e-3)):
            torch.testing.assert_close(got.full_tensor(), wanted)

    # A dim that must be whole is gathered.
    shards = split(x, 2), split(weight)
    with CommDebugMode() as collectives:
        y = ops.rms_norm(*shards)
    assert collectives.get_total_counts() == 1 and y.placements == (Replicate(),)
    torch.testing.assert_close(y.full_tensor(), ops.rms_norm(x, weight))

    # Another attr is another call.
    for eps in (0.5, 2.0):
        y = ops.rms_norm(split(x, 0), split(weight), eps=eps)
        torch.testing.assert_close(y.full_tensor(), ops.rms_norm(x, weight, eps=eps))

    # Elementwise ops are split along every dim, and follow their inputs.
    network = ops.tensor_add(ops.relu(split(x[0], 1)), ops.tensor_negate(split(x[1], 1)))  # fmt: skip
    assert network.placements == (Shard(1),)
    torch.testing.assert_close(network.full_tensor(), torch.relu(x[0]) - x[1])
    dist.destroy_process_group()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
