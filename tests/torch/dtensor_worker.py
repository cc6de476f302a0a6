"""One of four processes that hold shards: `dtensor_worker.py RANK STORE`."""

from __future__ import annotations

import sys

import torch
import torch.distributed as dist
import torch.nn.functional as F


def main(rank: int, store: str) -> None:
    dist.init_process_group("gloo", f"file://{store}", rank=rank, world_size=4)
    import generated.torch as ops

    assert "torch.distributed.tensor" not in sys.modules
    from dtensor_families import check_families  # before an op gets a DTensor
    from torch.distributed.tensor import (
        DTensor,
        Partial,
        Replicate,
        Shard,
        distribute_tensor,
        init_device_mesh,
    )
    from torch.distributed.tensor.debug import CommDebugMode

    square = init_device_mesh("cpu", (2, 2), mesh_dim_names=("rows", "columns"))
    mesh = square["columns"]
    torch.manual_seed(0)
    x, weight, dy = torch.randn(6, 5, 8), torch.randn(8), torch.randn(6, 5, 8)

    def split(tensor, dim=None):
        placement = Replicate() if dim is None else Shard(dim)
        return distribute_tensor(tensor, mesh, [placement]).requires_grad_()

    def gradients(x, weight, dy, eps):
        y = ops.rms_norm(x, weight, eps=eps)
        return y, *torch.autograd.grad(y, (x, weight), dy)

    # Splitting a batch dim, evenly or not, needs no collective; the sum of shards is left pending.
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

    # The same holds if gradients are computed on request, for each subset of them.
    tensors = {"x": x, "weight": weight, "bias": torch.randn(8)}
    split_dy = split(dy, 0)
    for asked in (("x", "weight", "bias"), ("weight", "bias"), ("bias",), ("x",)):
        shards = {
            n: split(t, 0 if n == "x" else None).requires_grad_(n in asked)
            for n, t in tensors.items()
        }
        with CommDebugMode() as collectives:
            y = ops.layer_norm(*shards.values(), normalized_shape=[8])
            got = torch.autograd.grad(y, [shards[n] for n in asked], split_dy)
        assert collectives.get_total_counts() == 0, collectives.get_comm_counts()
        whole = {n: t.clone().requires_grad_(n in asked) for n, t in tensors.items()}
        exact = F.layer_norm(whole["x"], [8], whole["weight"], whole["bias"])
        exact = torch.autograd.grad(exact, [whole[n] for n in asked], dy)
        for name, ours, theirs in zip(asked, got, exact):
            placement = Shard(0) if name == "x" else Partial("sum")
            assert ours.placements == (placement,), name
            torch.testing.assert_close(ours.full_tensor(), theirs)

    # A dim that must be whole is gathered.
    halves = split(x, 2)
    with CommDebugMode() as collectives:
        y = ops.silu_and_mul(halves)
    assert collectives.get_total_counts() == 1 and y.placements == (Replicate(),)
    torch.testing.assert_close(y.full_tensor(), ops.silu_and_mul(x))

    # A call with another attr does not reuse a cached result.
    for eps in (0.5, 2.0):
        y = ops.rms_norm(split(x, 0), split(weight), eps=eps)
        torch.testing.assert_close(y.full_tensor(), ops.rms_norm(x, weight, eps=eps))

    # Elementwise ops may be split along every dim, and keep the placement of their inputs.
    network = ops.tensor_add(ops.relu(split(x[0], 1)), ops.tensor_negate(split(x[1], 1)))
    assert network.placements == (Shard(1),)
    torch.testing.assert_close(network.full_tensor(), torch.relu(x[0]) - x[1])

    # Two mesh dims split two dims of the batch, or the same dim twice.
    for dims in ((0, 1), (1, 0), (0, 0)):
        placements = [Shard(dim) for dim in dims]
        whole = [Replicate()] * 2
        x8, dy8 = torch.randn(2, 8, 5, 8)
        tensors = zip((x8, weight, dy8), (placements, whole, placements))
        shards = [distribute_tensor(t, square, p).requires_grad_() for t, p in tensors]
        with CommDebugMode() as collectives:
            y, dx, dweight = gradients(*shards, 1e-3)
        assert collectives.get_total_counts() == 0, collectives.get_comm_counts()
        assert list(y.placements) == list(dx.placements) == placements
        assert dweight.placements == (Partial("sum"), Partial("sum"))
        exact = gradients(x8.requires_grad_(), weight.clone().requires_grad_(), dy8, 1e-3)
        for got, wanted in zip((y, dx, dweight), exact):
            torch.testing.assert_close(got.full_tensor(), wanted)

    # A mean depends on the count of each shard, which may be 0: two sums are exchanged.
    from torch.testing import assert_close

    both = [Shard(0), Shard(0)]
    for rows in (8, 7, 3):
        logits, labels = torch.randn(rows, 5), torch.arange(rows) % 5
        labels[:2] = -100
        whole = logits.clone().requires_grad_()
        exact = F.cross_entropy(whole, labels)
        exact.backward()
        shards = distribute_tensor(logits, square, both).requires_grad_()
        placed = distribute_tensor(labels, square, both)
        with CommDebugMode() as collectives:
            loss = ops.cross_entropy(shards, placed)
        counts = collectives.get_comm_counts()
        assert sum(counts.values()) == 4 and len(counts) == 1, counts
        losses = [loss]
        if rows == 8:  # compiled programs support only shards of one size
            compiled = torch.compile(ops.cross_entropy, fullgraph=True, backend="aot_eager")
            losses.append(compiled(shards, placed))
        for loss in losses:
            shards.grad = None
            loss.backward()
            assert loss.placements == (Replicate(), Replicate())
            assert list(shards.grad.placements) == both
            assert_close(loss.full_tensor(), exact.detach())
            assert_close(shards.grad.full_tensor(), whole.grad)

    # Two heads are split over two processes, and the sequence over two others.
    heads, table = torch.randn(4, 2, 8), torch.randn(4, 8)
    for dims in ((0, 1), (1, 0)):
        placements = [Shard(dim) for dim in dims]
        q = distribute_tensor(heads, square, placements)
        k = distribute_tensor(heads, square, placements)
        where = distribute_tensor(
            torch.arange(4), square, [Shard(0) if dim == 0 else Replicate() for dim in dims]
        )
        angles = distribute_tensor(table, square, [Replicate()] * 2)
        with CommDebugMode() as collectives:
            turned, _ = ops.rotary(q, where, angles, k)
            ops.rotary_(q, where, angles, k)
        assert collectives.get_total_counts() == 0, collectives.get_comm_counts()
        exact, _ = ops.rotary(heads, torch.arange(4), table, heads)
        assert list(turned.placements) == placements
        assert_close(turned.full_tensor(), exact)
        assert_close(q.full_tensor(), exact)

    # A single row that is a pending sum is not scattered, because there are more processes than
    # rows.
    parts = DTensor.from_local(x[:1, 0] * (0.25 + 0.5 * mesh.get_local_rank()), mesh, [Partial()])
    y = ops.silu_and_mul(parts)
    assert y.placements == (Replicate(),)
    assert_close(y.full_tensor(), ops.silu_and_mul(x[:1, 0]))

    # An updated input is never moved.
    import pytest

    q, table = split(torch.ones(4, 2, 8), 2), split(torch.ones(4, 8))
    with (
        torch.no_grad(),
        pytest.raises(NotImplementedError, match="rotary_: q.* cannot be updated"),
    ):
        ops.rotary_(q, distribute_tensor(torch.arange(4), mesh, [Replicate()]), table)

    tried = check_families(mesh)
    assert len(tried) > 15 and all(tried.values()), tried
    dist.destroy_process_group()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
