"""The spec gives the order of a tensor's dims in memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
Z = np.arange(30, dtype=np.float32).reshape(2, 3, 5) - 7
TOTAL = np.arange(12, dtype=np.float32).reshape(3, 4)
# The strides of x, z, y and zs, last dim first.
SEEN = {
    False: [[3, 1, 12], [1, 10, 5], [6, 1, 3], [1, 10, 5]],
    True: [[3, 1, 12], [1, 10, 5], [1, 4, 12], [1, 10, 5]],
}


@pytest.mark.parametrize("by_rows", [False, True])
def test_torch(boundary: ModuleType, by_rows: bool) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import relaid

    x, z = torch.from_numpy(X), torch.from_numpy(Z)
    turned = z.transpose(0, 1).contiguous().transpose(0, 1)
    columns = x.mT.contiguous().mT
    for x_, z_ in ((x, z), (columns, turned), (x.to(torch.float64), z.to(torch.float64))):
        total = torch.from_numpy(TOTAL).to(x_.dtype).T.contiguous().T
        y, zs, seen, updated = relaid(x_, z_, total, by_rows=by_rows)
        np.testing.assert_array_equal(y, X)
        np.testing.assert_array_equal(zs, Z)
        np.testing.assert_array_equal(updated, 2 * TOTAL)
        assert updated is total and seen.tolist() == SEEN[by_rows]
        assert y.stride() == ((12, 4, 1) if by_rows else (3, 1, 6))
        assert zs.stride() == (5, 10, 1)


def test_torch_s_fake_tensors_have_the_strides(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    import boundary.torch  # noqa: F401

    x, z = torch.from_numpy(X), torch.from_numpy(Z)
    total = torch.from_numpy(TOTAL).T.contiguous().T
    torch.library.opcheck(torch.ops.boundary.relaid.default, (x, z, total))


@pytest.mark.slow
def test_torch_traces_know_the_strides(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    import boundary.torch

    x, z = torch.from_numpy(X), torch.from_numpy(Z)
    total = torch.from_numpy(TOTAL).T.contiguous().T

    def function(x, z, total):
        y, zs, _, _ = boundary.torch.relaid(x, z, total)
        return (y + 1).sum(0), zs.permute(1, 0, 2).reshape(6, 5)

    wanted = (X + 1).sum(0), Z.transpose(1, 0, 2).reshape(6, 5)
    for found, each in zip(torch.compile(function, fullgraph=True)(x, z, total), wanted):
        np.testing.assert_array_equal(found, each)


def test_torch_refuses_to_update_another_order(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import relaid

    x, z = torch.from_numpy(X), torch.from_numpy(Z)
    with pytest.raises(ValueError, match="relaid: total: expected its dims in the order"):
        relaid(x, z, torch.from_numpy(TOTAL.copy()))


def test_torch_takes_any_dense_order(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import nudge_

    by, more = torch.from_numpy(TOTAL), torch.from_numpy(TOTAL[::-1].copy())
    wide = torch.zeros(3, 8)[:, ::2]
    for x in (torch.ones(3, 4), torch.ones(4, 3).T, torch.ones(1, 4).T.expand(4, 1)[:3]):
        for other in (by, by.T.contiguous().T, wide):
            sized = other[:, : x.shape[1]]
            wanted = x + 2 * (sized + more[:, : x.shape[1]])
            assert nudge_(x, sized, torch.tensor(2.0), more[:, : x.shape[1]]) is x
            torch.testing.assert_close(x, wanted, rtol=0, atol=0)
            wanted = x - sized
            nudge_(x, sized, torch.tensor(-1.0))
            torch.testing.assert_close(x, wanted, rtol=0, atol=0)
    with pytest.raises(
        ValueError, match=r"nudge_: x: expected a tensor without gaps.* got strides \(8, 2\)"
    ):
        nudge_(wide, by, torch.tensor(1.0))


PLACED = """
import torch, torch.distributed as dist
from boundary.torch import nudge_
from torch.distributed.tensor import Partial, Replicate, Shard, distribute_tensor, init_device_mesh

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
mesh = init_device_mesh("cpu", (1,))
x, by, more = (distribute_tensor(torch.full((3, 4), i), mesh, [p]) for i, p in ((1.0, Shard(0)), (2.0, Replicate()), (3.0, Shard(1))))
assert nudge_(x, by, torch.tensor(1.0)) is x and x.placements == (Shard(0),)
nudge_(x, by, distribute_tensor(torch.tensor(10.0), mesh, [Replicate()]), more)
print(x.full_tensor().unique().item())
try:
    nudge_(x, by.to_local(), torch.tensor(1.0))
except ValueError as error:
    print(error)
"""


def test_torch_follows_a_placement(boundary: ModuleType, project: Path) -> None:
    pytest.importorskip("torch")
    command = [sys.executable, "-c", PLACED]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    number, error = done.stdout.splitlines()
    assert float(number) == 53.0
    assert error.startswith("nudge_: by: expected the placement of x, (Shard(dim=0),) on")


@pytest.mark.parametrize("by_rows", [False, True])
def test_jax(boundary: ModuleType, by_rows: bool) -> None:
    jax = pytest.importorskip("jax")
    from boundary.jax import relaid

    y, zs, seen, total = relaid(X, Z, TOTAL, by_rows=by_rows)
    np.testing.assert_array_equal(y, X)
    np.testing.assert_array_equal(zs, Z)
    np.testing.assert_array_equal(total, 2 * TOTAL)
    assert seen.tolist() == SEEN[by_rows]
    several = np.stack([X, X + 1]), np.stack([TOTAL, -TOTAL])
    call = jax.vmap(lambda x, t: relaid(x, Z, t, by_rows=by_rows), in_axes=(0, 0))
    y, zs, seen, total = call(*several)
    np.testing.assert_array_equal(y, several[0])
    np.testing.assert_array_equal(zs, np.stack([Z, Z]))
    np.testing.assert_array_equal(total, 2 * several[1])
    assert seen.tolist() == [SEEN[by_rows]] * 2
