"""Tensors whose dims lie in memory in the order that the spec says."""

from __future__ import annotations

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
    for x_, z_ in ((x, z), (columns, turned), (x.to(torch.float64), z.to(torch.float64))):  # fmt: skip
        total = torch.from_numpy(TOTAL).to(x_.dtype).T.contiguous().T
        y, zs, seen, updated = relaid(x_, z_, total, by_rows=by_rows)
        np.testing.assert_array_equal(y, X)
        np.testing.assert_array_equal(zs, Z)
        np.testing.assert_array_equal(updated, 2 * TOTAL)
        assert updated is total and seen.tolist() == SEEN[by_rows]
        assert y.stride() == ((12, 4, 1) if by_rows else (3, 1, 6))
        assert zs.stride() == (5, 10, 1)


def test_torch_traces_know_the_strides(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    import boundary.torch

    x, z = torch.from_numpy(X), torch.from_numpy(Z)
    total = torch.from_numpy(TOTAL).T.contiguous().T
    torch.library.opcheck(torch.ops.boundary.relaid.default, (x, z, total))

    def function(x, z, total):
        y, zs, _, _ = boundary.torch.relaid(x, z, total)
        return (y + 1).sum(0), zs.permute(1, 0, 2).reshape(6, 5)

    wanted = (X + 1).sum(0), Z.transpose(1, 0, 2).reshape(6, 5)
    for found, each in zip(torch.compile(function, fullgraph=True)(x, z, total), wanted):  # fmt: skip
        np.testing.assert_array_equal(found, each)


def test_torch_refuses_to_update_another_order(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import relaid

    x, z = torch.from_numpy(X), torch.from_numpy(Z)
    with pytest.raises(ValueError, match="relaid: total: expected its dims in the order"):  # fmt: skip
        relaid(x, z, torch.from_numpy(TOTAL.copy()))


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
