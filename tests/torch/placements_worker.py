"""One of four processes that update parameters with many placements.

Run as `placements_worker.py RANK STORE`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext

import pytest
import torch
import torch.distributed as dist
from torch import Tensor

Place = Callable[[Tensor], Tensor]
OPTIONS = {"weight_decay": 0.1, "maximize": True, "amsgrad": True}


def main(rank: int, store: str) -> None:
    dist.init_process_group("gloo", f"file://{store}", rank=rank, world_size=4)
    from torch.distributed.tensor import (
        DeviceMesh,
        DTensor,
        Partial,
        Replicate,
        Shard,
        distribute_tensor,
        init_device_mesh,
    )

    import generated.torch  # before the import of DTensor

    square = init_device_mesh("cpu", (2, 2), mesh_dim_names=("rows", "columns"))
    line = init_device_mesh("cpu", (4,))
    rows, columns = square["rows"], square["columns"]
    halves = [DeviceMesh("cpu", ranks) for ranks in ([0, 1], [2, 3])]

    def on(mesh: DeviceMesh, *placements: object) -> Place:
        return lambda whole: distribute_tensor(whole, mesh, placements)

    def plain(whole: Tensor) -> Tensor:
        return whole.clone()

    hsdp = on(square, Replicate(), Shard(0))
    by_rows, by_columns = on(line, Shard(0)), on(line, Shard(1))
    blocks = on(square, Shard(0), Shard(1))
    torch.manual_seed(0)
    shapes = [(12, 8), (7, 5), (3, 5), (1, 9), (4, 4, 4), (0, 3)]  # also fewer rows than processes
    layouts: dict[str, Sequence[Place]] = {
        "HSDP": [hsdp],
        "blocks": [blocks],
        "one dim split twice": [on(square, Shard(0), Shard(0))],
        "rows": [by_rows],
        "columns": [by_columns],
        "two meshes": [
            on(rows, Shard(0)),
            on(columns, Shard(1)),
            on(square, Replicate(), Shard(1)),
        ],
        "meshes that share no process": [on(halves[0], Shard(0)), on(halves[1], Shard(0))],
        "beside plain ones": [by_rows, plain, blocks],
        "columns first in memory": [_transposed(by_rows), _transposed(hsdp), _transposed(plain)],
    }
    for name, places in layouts.items():
        for dtype in (torch.float32, torch.bfloat16, torch.float64):
            for compiled in {False, dtype == torch.float32 and len(places) == 3}:
                params = [_drawn(s, dtype) for s in shapes]
                grads = [_drawn(s, dtype) for s in shapes]
                put = [places[i % len(places)] for i in range(len(shapes))]
                given = [p(t) for p, t in zip(put, params)], [p(t) for p, t in zip(put, grads)]
                _check(f"{name}, {dtype}", params, grads, *given, compiled=compiled)

    # Gradients whose memory order differs from their parameters' are copied locally.
    drawn = [_drawn(shape) for shape in shapes]
    _check("orders", drawn, drawn, [_transposed(hsdp)(t) for t in drawn], [hsdp(t) for t in drawn])

    # Gradients with another placement are redistributed to their parameters' placement.
    whole, grad = _drawn((8, 6)), _drawn((8, 6))
    part = grad * (1 + torch.arange(4.0)[rank]) / 10  # the sum is `grad`
    replica = hsdp(grad).to_local() * (0.25 + 0.5 * square.get_local_rank("rows"))
    summed = DTensor.from_local(part, line, [Partial()])
    under_way = summed.redistribute(placements=[Shard(0)], async_op=True)
    for place, given, count in (
        (by_rows, by_rows(grad), 0),
        (by_rows, on(line, Replicate())(grad), 0),
        (by_rows, summed, 1),  # a reduce-scatter
        (by_rows, under_way, 0),
        (on(line, Replicate()), summed, 1),
        (by_rows, by_columns(grad), 1),
        (hsdp, DTensor.from_local(replica, square, [Partial(), Shard(0)]), 1),
    ):
        _check(f"{given.placements}", [whole], [grad], [place(whole)], [given], count)

    _check("compiled", [whole], [grad], [by_rows(whole)], [summed], compiled=True)
    _check_modules(square)

    def refused(text: str, **changed: object) -> None:
        p = by_rows(whole)
        lists = {n: [p.clone()] for n in ("params", "grads", "exp_avgs", "exp_avg_sqs")}
        call = {**lists, "step": torch.tensor(0.0), "lr": torch.tensor(0.1), **changed}
        for function in (generated.torch.adamw_, torch.ops.generated.adamw_.default):
            with pytest.raises(ValueError, match=f"adamw_: {text}"):
                function(*call.values(), [])

    # An updated input is never moved, and is never a pending sum.
    other, replicated = on(square, Shard(0), Replicate()), on(line, Replicate())
    at = r"expected the placement of params\[0\], \(Shard\(dim=0\),\) on DeviceMesh"
    refused(rf"exp_avgs\[0\]: {at}.*, got \(Shard\(dim=1\),\) on", exp_avgs=[by_columns(whole)])
    refused(rf"exp_avg_sqs\[0\]: {at}.*, got a plain tensor", exp_avg_sqs=[whole.clone()])
    refused(rf"grads\[0\]: {at}.*, got a plain tensor", grads=[grad])
    refused(rf"grads\[0\]: {at}.*, got \(Shard.* on DeviceMesh", grads=[other(grad)])
    refused(
        r"grads\[0\]: .*params\[0\], a plain tensor, got \(Shard",
        params=[whole],
        exp_avgs=[whole.clone()],
        exp_avg_sqs=[whole.clone()],
    )
    refused(
        r"params\[0\]: expected whole elements, got \(Partial",
        params=[DTensor.from_local(whole, line, [Partial()])],
    )
    refused("grads.*: expected shape", grads=[by_rows(_drawn((7, 6)))])
    refused(
        "step: expected a replicated tensor, got",
        step=DTensor.from_local(torch.tensor(0.0), line, [Partial()]),
    )
    _check(
        "a step and a rate of theirs",
        [whole],
        [grad],
        [by_rows(whole)],
        [by_rows(grad)],
        wrap=replicated,
    )
    dist.destroy_process_group()


def _transposed(place: Place) -> Place:
    """Return a function that places a tensor with its last dim outermost in memory."""
    from torch.distributed.tensor import DTensor

    def laid(tensor: Tensor) -> Tensor:
        order = (tensor.ndim - 1, *range(tensor.ndim - 1))
        made = torch.empty_permuted(tensor.shape, order, dtype=tensor.dtype)
        return made.copy_(tensor)

    def put(whole: Tensor) -> Tensor:
        placed = place(whole)
        if not isinstance(placed, DTensor):
            return laid(placed)
        facts = {"shape": whole.shape, "stride": laid(whole).stride()}
        local = laid(placed.to_local())
        return DTensor.from_local(local, placed.device_mesh, placed.placements, **facts)

    return put


def _check_modules(square) -> None:
    """Check parameters and gradients that FSDP2 over tensor parallel creates."""
    from torch.distributed.fsdp import fully_shard
    from torch.distributed.tensor.parallel import (
        ColwiseParallel,
        RowwiseParallel,
        parallelize_module,
    )

    first, second = torch.nn.Linear(6, 10), torch.nn.Linear(10, 3)
    model = torch.nn.Sequential(first, torch.nn.ReLU(), second, torch.nn.LayerNorm(3))
    plan = {"0": ColwiseParallel(), "2": RowwiseParallel()}
    parallelize_module(model, square["columns"], plan)
    fully_shard(model, mesh=square["rows"])
    model(torch.randn(5, 6)).square().sum().backward()
    params, grads = [*model.parameters()], [p.grad for p in model.parameters()]
    assert len({p.placements for p in params}) > 2
    whole = [[t.full_tensor().detach().clone() for t in each] for each in (params, grads)]
    _check("modules", *whole, params, grads)


def _drawn(shape: Sequence[int], dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.randn(*shape).to(dtype)


@torch.no_grad()
def _check(
    name: str,
    params: Sequence[Tensor],
    grads: Sequence[Tensor],
    placed: Sequence[Tensor],
    placed_grads: Sequence[Tensor],
    collectives: int = 0,
    compiled: bool = False,
    wrap: Place = lambda tensor: tensor,
) -> None:
    """Check that two steps on `placed` equal PyTorch's on `params` in f64, in one process."""
    from torch.distributed.tensor import DTensor
    from torch.distributed.tensor.debug import CommDebugMode

    from generated.torch import adamw_

    wide = torch.float64 if params[0].dtype == torch.float64 else torch.float32
    step, lr = wrap(torch.tensor(0.0)), wrap(torch.tensor(0.125, dtype=wide))
    moments = [[torch.zeros_like(p, dtype=wide) for p in placed] for _ in range(3)]
    exact = [p.double() for p in params]
    optimizer = torch.optim.AdamW(exact, lr=0.125, **OPTIONS)
    update = (
        torch.compile(adamw_, fullgraph=True, dynamic=False, backend="aot_eager")
        if compiled
        else adamw_
    )
    for _ in range(2):
        for p, g in zip(exact, grads):
            p.grad = g.double()
        optimizer.step()
        mode = CommDebugMode()
        with nullcontext() if compiled else mode:  # the mode breaks a graph
            update(placed, placed_grads, *moments[:2], step, lr, moments[2], **OPTIONS)
        count = 0 if compiled else mode.get_total_counts()
        assert count == collectives, (name, mode.get_comm_counts())
    whole = lambda t: t.full_tensor() if isinstance(t, DTensor) else t  # noqa: E731
    assert whole(step) == 2
    for i, (ours, theirs) in enumerate(zip(placed, exact)):
        state = optimizer.state[theirs]
        pairs = {"param": (ours, theirs), "exp_avg": (moments[0][i], state["exp_avg"])}
        pairs["max"] = moments[2][i], state["max_exp_avg_sq"]
        for what, (mine, right) in pairs.items():
            k = 256 if wide == torch.float64 else 16  # PyTorch's `1 - 0.999**step` is inexact
            eps = k * torch.finfo(mine.dtype if what == "param" else wide).eps
            if _is_here(mine):
                torch.testing.assert_close(
                    whole(mine).double(),
                    right,
                    rtol=eps,
                    atol=eps,
                    msg=lambda m: f"{name} {what}[{i}]: {m}",
                )


def _is_here(tensor: Tensor) -> bool:
    """Return whether this process has a part of the tensor."""
    mesh = getattr(tensor, "device_mesh", None)
    return mesh is None or mesh.get_coordinate() is not None


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
