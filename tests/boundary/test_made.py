"""Tensors that adapters create for kernels have the right contents and alignment.

This file also tests outputs that are lists.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

AT = np.int64([0, 2, 2, 4, 0, 2])
X = np.float32([0.25, -3, 1.5, 8, -0.25, 2])
COUNTS, MOST = [2, 0, 3, 0, 1], [0.25, -0.5, 2, -0.5, 8]


def check_histogram(counts, most, empty) -> None:
    assert np.asarray(counts).tolist() == COUNTS
    assert np.asarray(most, np.float32).tolist() == MOST
    assert np.asarray(empty).tolist() == [count == 0 for count in COUNTS]


def test_torch_outputs_and_workspace_begin_with_their_value(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import histogram

    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        given = torch.from_numpy(X).to(dtype)
        counts, most, empty = histogram(torch.from_numpy(AT), given, bins=5)
        check_histogram(counts, most.float(), empty)
    with pytest.raises(ValueError, match="histogram: bins: expected at least 1, got 0"):
        histogram(torch.from_numpy(AT), given, bins=0)


def test_torch_many_elements_are_filled(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import histogram

    counts, most, empty = histogram(
        torch.zeros(1, dtype=torch.int64), torch.ones(1), bins=300_001, least=0.1
    )
    assert counts.sum() == 1 and (most[1:] == np.float32(-0.1)).all() and empty[1:].all()


def test_jax_outputs_and_workspace_begin_with_their_value(boundary: ModuleType) -> None:
    jax = pytest.importorskip("jax")
    from boundary.jax import histogram

    at = AT.astype(np.int32)
    check_histogram(*histogram(at, X, bins=5))
    found = jax.vmap(lambda a, x: histogram(a, x, bins=5))(np.stack([at, at]), np.stack([X, X]))
    for row in range(2):
        check_histogram(*(each[row] for each in found))


LISTS = [
    np.arange(12, dtype=np.float32).reshape(4, 3),
    np.ones((1, 3), np.float32),
    np.full((7, 3), 2, np.float32),
]


def check_halved(halves, sizes) -> None:
    assert [int(size) for size in sizes] == [6, 0, 9]
    for half, x in zip(halves, LISTS, strict=True):
        np.testing.assert_array_equal(half, x[: len(x) // 2])


def test_torch_lists_of_outputs(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import halved, pieces

    xs = [torch.from_numpy(x) for x in LISTS]
    check_halved(*halved(xs))
    check_halved(*torch.compile(lambda *xs: halved(list(xs)), fullgraph=True)(*xs))
    y = pieces(torch.arange(6.0), n=3)
    assert [each.tolist() for each in y] == [[0, 1], [2, 3], [4, 5]]
    rows = torch.arange(12.0).reshape(2, 6)
    batched = torch.func.vmap(lambda x: pieces(x, n=2))(rows)
    assert [each.tolist() for each in batched] == [[[0, 1, 2], [6, 7, 8]], [[3, 4, 5], [9, 10, 11]]]
    torch.library.opcheck(torch.ops.boundary.halved.default, (xs,))
    with pytest.raises(ValueError, match=r"a size of the form `n \* m`"):
        pieces(torch.ones(5), n=2)


def test_jax_lists_of_outputs(boundary: ModuleType) -> None:
    jax = pytest.importorskip("jax")
    from boundary.jax import halved, pieces

    check_halved(*halved(LISTS))
    y = pieces(np.arange(6, dtype=np.float32), n=3)
    assert [each.tolist() for each in y] == [[0, 1], [2, 3], [4, 5]]
    rows = np.arange(12, dtype=np.float32).reshape(2, 6)
    batched = jax.vmap(lambda x: pieces(x, n=2))(rows)
    assert [each.tolist() for each in batched] == [[[0, 1, 2], [6, 7, 8]], [[3, 4, 5], [9, 10, 11]]]


def test_torch_alignment(boundary: ModuleType) -> None:
    """Kernels get aligned inputs and outputs, even if the caller's tensors are not aligned."""
    torch = pytest.importorskip("torch")
    from boundary.torch import aligned_sum

    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        for n in (1, 5, 33):
            for shift in (0, 1, 2, 3):
                x, z = (
                    torch.arange(n + shift, dtype=dtype)[shift:],
                    torch.ones(2 * n + shift, dtype=dtype)[shift::2],
                )
                total = torch.zeros(n, dtype=dtype)
                y, ok, _ = aligned_sum(x, z[:n], total)
                assert ok and torch.equal(y, x + 1) and (total == 1).all()
                assert y.data_ptr() % 1024 == 0 and y.is_contiguous()
    total = torch.zeros(9)[1:]
    message = "aligned_sum: total: expected memory at a multiple of 32 bytes"
    with pytest.raises(ValueError, match=message):
        aligned_sum(torch.ones(8), torch.ones(8), total)


def test_jax_alignment(boundary: ModuleType) -> None:
    """In JAX a kernel gets alignments up to 64 bytes, as XLA guarantees."""
    pytest.importorskip("jax")
    from boundary.jax import aligned_small

    x = np.arange(6, dtype=np.float32)
    y, ok = aligned_small(x)
    assert ok and y.tolist() == x.tolist()


def test_names_that_rendered_functions_use_themselves(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("jax")
    import boundary.jax
    import boundary.torch

    x, z = np.arange(3, dtype=np.float32), np.ones(3, np.float32)
    for ops, of in ((boundary.torch, torch.from_numpy), (boundary.jax, np.asarray)):
        total, ones = ops.local_names(of(x), of(z))
        assert total.tolist() == [1, 2, 3] and [each.tolist() for each in ones] == [[1, 1, 1]] * 2
