"""Kernels may accept the caller's strides, and a spec may order the dims of any shape in memory."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def strided(seed: int):
    """Return a tensor with random sizes and strides.

    It may be transposed, have gaps or repeat elements.
    """
    import torch

    random = np.random.default_rng(seed)
    rank = int(random.integers(0, 5))
    sizes = [int(random.choice([1, 2, 3, 0], p=[0.3, 0.35, 0.3, 0.05])) for _ in range(rank)]
    stride, strides = 1, [0] * rank
    for dim in random.permutation(rank):
        strides[dim] = 0 if random.random() < 0.15 else stride * int(random.choice([1, 1, 2]))
        stride = max(stride, strides[dim] * max(sizes[dim], 1))
    return torch.arange(float(2 * stride + 2)).as_strided(sizes, strides)


def seen(tensor) -> list[int]:
    """Return the strides of the dims with more than one element, none for an empty tensor."""
    return [s for n, s in zip(tensor.shape, tensor.stride()) if n > 1] if tensor.numel() else []


def test_torch_gives_strides_as_pytorch_does(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import mirrored

    orders = set()
    for seed in range(200):
        x = strided(seed)
        turned = x.mT if x.ndim > 1 else x
        y, _, ys, strides = mirrored(x, torch.ones(1, 1), [x, turned])
        for made, given in ((y, x), (ys[0], x), (ys[1], turned)):
            assert seen(made) == seen(torch.empty_like(given)), (seed, given.shape, given.stride())
            assert torch.equal(made.to(given.dtype), given)
        assert strides.tolist()[: y.ndim] == list(y.stride())
        orders.add(y.stride() == x.contiguous().stride())
    assert orders == {True, False}


@pytest.mark.parametrize("as_is", [False, True])
def test_torch_by_case(boundary: ModuleType, as_is: bool) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import mirrored

    one, wide = torch.ones(1), torch.arange(24.0).reshape(3, 8)[:, ::2]
    _, zs, _, strides = mirrored(one, wide, [one], as_is=as_is)
    assert torch.equal(zs, wide)
    assert zs.stride() == ((4, 1) if as_is else (1, 3))
    assert strides.tolist()[4:] == ([8, 2, 4, 1] if as_is else [1, 3, 1, 3])


@pytest.mark.slow
def test_torch_traces_know_the_strides(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    import boundary.torch

    x = torch.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1)
    gapped = torch.arange(48.0).reshape(3, 16).T[::2]
    z = torch.arange(6.0).reshape(2, 3)
    for given in (x, gapped, x[:1], z[:0]):
        args = given, z.T, [given, z], True
        torch.library.opcheck(torch.ops.boundary.mirrored.default, args)

        def function(x, z, xs):
            y, zs, ys, _ = boundary.torch.mirrored(x, z, xs, as_is=True)
            return y + 1, zs.flatten(), ys[0] * 2

        torch.compiler.reset()
        compiled = torch.compile(function, fullgraph=True, dynamic=True)
        for found, each in zip(compiled(*args[:3]), function(*args[:3]), strict=True):
            assert torch.equal(found, each) and seen(found) == seen(each)


def test_torch_open_orders(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import gathered

    x = torch.arange(96.0).reshape(4, 6, 4)
    z = torch.arange(40.0).reshape(2, 4, 5)
    for given, stride in (
        (x, 24),
        (x[::2], 48),  # passed without a copy
        (x[:1].expand(3, 6, 4), 0),
        (x[:, ::2], 12),  # copied
        (x.transpose(0, 1), 16),
        (x.permute(0, 2, 1), 24),
    ):
        y, zs, strides = gathered(given, z[0])
        assert torch.equal(y, given.sum((1, 2))) and torch.equal(zs, z[0])
        assert strides.tolist() == [stride, 1, 4]
    for turned, strides in ((z.mT[::2], [1, 5]), (z.mT, [1, 5]), (z, [1, 4])):
        _, zs, found = gathered(x, turned)
        assert torch.equal(zs, turned) and found.tolist()[1:] == strides


def test_jax_open_orders(boundary: ModuleType) -> None:
    jax = pytest.importorskip("jax")
    from boundary.jax import gathered

    for z in (X, X[0], X[None]):
        for call in (gathered, jax.jit(gathered)):
            y, zs, strides = call(X, z)
            assert np.array_equal(y, X.sum((1, 2))) and np.array_equal(zs, z)
            assert strides.tolist() == [12, 1, z.shape[-2]]
    many = np.stack([X, X + 1])
    y, zs, _ = jax.vmap(lambda x: gathered(x, X))(many)
    assert np.array_equal(y, many.sum((2, 3))) and np.array_equal(zs, np.stack([X, X]))


def test_jax_results_are_row_major(boundary: ModuleType) -> None:
    jax = pytest.importorskip("jax")
    from boundary.jax import mirrored

    with jax.enable_x64(True):
        for as_is in (False, True):
            y, zs, ys, strides = mirrored(X, X[0], [X, X[0]], as_is=as_is)
            assert np.array_equal(y, X) and np.array_equal(zs, X[0])
            assert np.array_equal(ys[0], X) and np.array_equal(ys[1], X[0])
            rows = [4, 1] if as_is else [1, 3]
            assert strides.tolist() == [12, 4, 1, -1, *rows, *rows]


A = np.zeros((2,), np.float32)
Z = np.arange(30, dtype=np.float32).reshape(2, 3, 5)
WS = [np.arange(6, dtype=np.float32).reshape(2, 3), np.ones((4, 1), np.float32)]


def turned_strides(z: np.ndarray, nhd: bool) -> list[list[int]]:
    """Return the strides of x, z, k and y that the kernel of `turned` must see."""
    rows = [[1, 2, 6], [1, 2, 6] if z.ndim == 3 else [1, 3], [8, 4, 1] if nhd else [4, 8, 1]]
    return [row + [-1] * (5 - len(row)) for row in (*rows, [1, 8, 2])]


@pytest.mark.parametrize("nhd", [True, False])
@pytest.mark.parametrize("z", [Z, Z[0]], ids=["with c", "without c"])
def test_torch_orders(boundary: ModuleType, nhd: bool, z: np.ndarray) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import turned

    x, k = torch.from_numpy(X), torch.from_numpy(X.swapaxes(0, 1) if nhd else X)
    args = torch.from_numpy(A), torch.from_numpy(z), k.contiguous()
    torch.compiler.reset()
    for call in (turned, torch.compile(turned, fullgraph=True, backend="aot_eager")):
        ws = [torch.tensor(w).T.contiguous().T for w in WS]
        y, ks, strides, same = call(x, *args, ws, nhd=nhd)
        assert torch.equal(y, x) and torch.equal(ks, k)
        assert y.stride() == (1, 8, 2) and ks.stride() == ((8, 4, 1) if nhd else (4, 8, 1))
        assert strides.tolist() == turned_strides(z, nhd)
        for given, updated, was in zip(ws, same, WS, strict=True):
            assert np.array_equal(given, 2 * was) and np.array_equal(updated, 2 * was)
    with pytest.raises(ValueError, match=r"turned: ws\[0\]: expected its dims in the order"):
        turned(x, *args, [torch.from_numpy(WS[0].copy())], nhd=nhd)


@pytest.mark.parametrize("nhd", [True, False])
@pytest.mark.parametrize("z", [Z, Z[0]], ids=["with c", "without c"])
def test_jax_orders(boundary: ModuleType, nhd: bool, z: np.ndarray) -> None:
    jax = pytest.importorskip("jax")
    from boundary.jax import turned

    k = X.swapaxes(0, 1) if nhd else X
    for call in (turned, jax.jit(turned, static_argnames="nhd")):
        y, ks, strides, ws = call(X, A, z, k, [*map(jax.numpy.asarray, WS)], nhd=nhd)
        assert np.array_equal(y, X) and np.array_equal(ks, k)
        assert strides.tolist() == turned_strides(z, nhd)
        for updated, was in zip(ws, WS, strict=True):
            assert np.array_equal(updated, 2 * was)
    many = np.stack([X, X + 1]), [np.stack([w, -w]) for w in WS]
    y, ks, strides, ws = jax.vmap(lambda x, ws: turned(x, A, z, k, ws, nhd=nhd))(*many)
    assert np.array_equal(y, many[0]) and strides[1].tolist() == turned_strides(z, nhd)
    assert np.array_equal(ws[0], 2 * many[1][0])


TOTAL = sum(w.sum() + 2 * w.size for w in WS)


def test_torch_updates_lists(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import bump_all

    torch.compiler.reset()
    by = torch.tensor(2.0)
    for call in (bump_all, torch.compile(bump_all, fullgraph=True, backend="aot_eager")):
        xs = [torch.tensor(w) for w in WS]
        y, strides, same = call(xs, by)
        assert y == TOTAL and strides.tolist()[0] == [1, 2]
        for x, given, was in zip(xs, same, WS, strict=True):
            assert np.array_equal(x, was) and torch.equal(given, x)
        y, strides, same = call(xs, by, inplace=True)
        assert y == TOTAL and strides.tolist()[0] == [3, 1]
        for x, given, was in zip(xs, same, WS, strict=True):
            assert np.array_equal(x, was + 2) and torch.equal(given, x)
    xs = [torch.ones(3, 4).T]
    assert bump_all(xs, by)[2][0] is xs[0] and bump_all(xs, by, inplace=True)[2][0] is xs[0]
    assert torch.equal(xs[0], torch.full((4, 3), 3.0))
    wide = torch.zeros(3, 8)[:, ::2]
    assert bump_all([wide], by)[0] == 24
    with pytest.raises(ValueError, match=r"bump_all: xs\[0\]: expected its memory to lie"):
        bump_all([wide], by, inplace=True)
    with pytest.raises(ValueError, match="bump_all: .*shares memory"):
        bump_all([xs[0], xs[0]], by, inplace=True)
    with pytest.raises(RuntimeError, match="requires a gradient"):
        bump_all([xs[0].clone().requires_grad_()], by)
    torch.library.opcheck(torch.ops.boundary.bump_all.default, (xs, by, True))


def test_jax_updates_lists(boundary: ModuleType) -> None:
    jax = pytest.importorskip("jax")
    from boundary.jax import bump_all

    for inplace in (False, True):
        for call in (bump_all, jax.jit(bump_all, static_argnames="inplace")):
            y, _, xs = call([*map(jax.numpy.asarray, WS)], 2.0, inplace=inplace)
            assert y == TOTAL
            for x, was in zip(xs, WS, strict=True):
                assert np.array_equal(x, was + 2 if inplace else was)
        many = [np.stack([w, w + 1]) for w in WS]
        y, _, xs = jax.vmap(lambda ws: bump_all(ws, 2.0, inplace=inplace))(many)  # noqa: B023
        assert y.tolist() == [TOTAL, TOTAL + 10]
        assert np.array_equal(xs[0], many[0] + 2 if inplace else many[0])
        program = jax.jit(lambda ws: bump_all(ws, 2.0, inplace=inplace)).lower(WS)  # noqa: B023
        assert ("output_operand_alias" in program.as_text()) == inplace
