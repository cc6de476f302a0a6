"""A call decides the memory layout of an input, and whether the op updates the input."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
Z = np.arange(30, dtype=np.float32).reshape(2, 3, 5) - 7
ROWS, COLUMNS = [12, 4, 1], [12, 1, 3]
TURNED = [5, 10, 1]


@pytest.mark.parametrize("wide", [False, True])
def test_torch_layouts(boundary: ModuleType, wide: bool) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import rearranged

    torch.compiler.reset()
    compiled = torch.compile(rearranged, fullgraph=True, backend="aot_eager")
    x, z = torch.from_numpy(X), torch.from_numpy(Z)
    for call in (rearranged, compiled):
        for given in (x, x.mT.contiguous().mT, x.double()):
            y, zs, seen = call(given, wide=wide)
            assert zs is None and torch.equal(y, given) and y.is_contiguous()
            assert seen.tolist() == [COLUMNS if wide else ROWS, [0, 0, 0]]
        for given in (z, z.transpose(0, 1).contiguous().transpose(0, 1)):
            y, zs, seen = call(x, given, wide=wide)
            assert torch.equal(zs, z) and seen[1].tolist() == TURNED
            _, zs, seen = call(x.double(), given.double(), wide=wide)
            assert torch.equal(zs, z.double()) and seen[1].tolist() == list(given.stride())


@pytest.mark.parametrize("wide", [False, True])
def test_jax_layouts(boundary: ModuleType, wide: bool) -> None:
    jax = pytest.importorskip("jax")
    from boundary.jax import rearranged

    for call in (rearranged, jax.jit(rearranged, static_argnames="wide")):
        y, zs, seen = call(X, wide=wide)
        assert zs is None and np.array_equal(y, X)
        assert seen.tolist() == [COLUMNS if wide else ROWS, [0, 0, 0]]
        y, zs, seen = call(X, Z, wide=wide)
        assert np.array_equal(zs, Z) and seen[1].tolist() == TURNED
        assert seen[0].tolist() == (COLUMNS if wide else ROWS)
    y, zs, seen = jax.vmap(lambda x: rearranged(x, Z, wide=wide))(np.stack([X, X + 1]))
    assert np.array_equal(y[1], X + 1) and np.array_equal(zs[1], Z)


def test_torch_updates(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import bump

    torch.compiler.reset()
    by = torch.tensor(2.0)
    compiled = torch.compile(bump, fullgraph=True, backend="aot_eager")
    for call in (bump, compiled):
        x = torch.from_numpy(X[0].copy())
        y, same = call(x, by)
        assert torch.equal(y, x + 2) and torch.equal(same, x) and np.array_equal(x, X[0])
        y, same = call(x, by, inplace=True)
        assert torch.equal(y, x) and torch.equal(same, x) and np.array_equal(x, X[0] + 2)
    x = torch.from_numpy(X[0].copy())
    assert bump(x, by)[1] is x and bump(x, by, inplace=True)[1] is x
    wide = torch.zeros(3, 8)[:, ::2]
    assert torch.equal(bump(wide, by)[0], wide + 2)
    with pytest.raises(ValueError, match=r"bump: x: expected its memory to lie .* strides \(8, 2"):
        bump(wide, by, inplace=True)
    with pytest.raises(ValueError, match="bump: (x|by): shares memory"):
        bump(x, x[0, 0], inplace=True)
    assert torch.equal(bump(x, x[0, 1])[0], x + x[0, 1])
    with pytest.raises(RuntimeError, match="bump: x requires a gradient"):
        bump(x.clone().requires_grad_(), by)
    torch.library.opcheck(torch.ops.boundary.bump.default, (x, by, True))


def test_jax_updates(boundary: ModuleType) -> None:
    jax = pytest.importorskip("jax")
    from boundary.jax import bump

    x = X[0]
    for inplace in (False, True):
        for call in (bump, jax.jit(bump, static_argnames="inplace")):
            y, new = call(jax.numpy.asarray(x), 2.0, inplace=inplace)
            assert np.array_equal(y, x + 2) and np.array_equal(new, x + 2 if inplace else x)
        given = jax.numpy.asarray(np.stack([x, x + 1]))
        y, new = jax.vmap(lambda x: bump(x, 2.0, inplace=inplace))(given)  # noqa: B023
        assert np.array_equal(y, given + 2) and np.array_equal(new, y if inplace else given)
        program = jax.jit(lambda x: bump(x, 2.0, inplace=inplace)).lower(x).as_text()  # noqa: B023
        assert ("output_operand_alias" in program) == inplace


def test_jax_updates_over_devices(boundary: ModuleType) -> None:
    jax = pytest.importorskip("jax")
    if jax.device_count() < 2:
        pytest.skip("there is one device")
    from boundary.jax import bump

    rows = jax.sharding.NamedSharding(jax.make_mesh((2,), ("a",)), jax.P("a"))
    x = jax.device_put(X[:, 0], rows)
    for inplace in (False, True):
        y, new = jax.jit(lambda x: bump(x, 2.0, inplace=inplace))(x)  # noqa: B023
        assert np.array_equal(y, x + 2) and np.array_equal(new, x + 2 if inplace else x)
