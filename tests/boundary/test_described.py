"""A default descriptor contains the attrs and strides of a call, and 0 for absent ones."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

X = np.arange(6, dtype=np.float32).reshape(2, 3)
ROWS = np.ones((2, 5), np.float32)
# The last fields: the strides of b, then turned, count, scale, exact, out_dtype.
NOTHING = [0, 0, 0, 0, 0, 0, 0]


def test_torch_strides(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import described

    x, rows = torch.from_numpy(X), torch.from_numpy(ROWS)
    y, seen = described(x, rows)
    assert seen.tolist() == [3, 1, 5, 1, *NOTHING] and torch.equal(y, x)
    y, seen = described(x.T, rows, turned=True)
    assert seen.tolist() == [3, 1, 5, 1, 0, 0, 1, 0, 0, 0, 0] and torch.equal(y, x)
    y, seen = described(x.T.contiguous(), rows[0], turned=True)
    assert seen.tolist() == [1, 2, 0, 1, 0, 0, 1, 0, 0, 0, 0] and torch.equal(y, x)
    b = torch.zeros(2, 6)[:, ::2]
    _, seen = described(x.T.contiguous().T, rows, b)
    assert seen.tolist() == [1, 2, 5, 1, 6, 2, 0, 0, 0, 0, 0]


def test_torch_optional_attrs(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import described

    x, rows = torch.from_numpy(X), torch.from_numpy(ROWS)
    for call in (described, torch.compile(described, fullgraph=True)):
        y, seen = call(x, rows, count=7, scale=0.5, exact=True, out_dtype=torch.float64)
        assert seen[6:].tolist() == [0, 7, 0.5, 1, 3]
        assert y.dtype == torch.float64 and torch.equal(y, x.double())
        y, seen = call(x.double(), rows.double())
        assert y.dtype == torch.float64 and seen[6:].tolist() == [0, 0, 0, 0, 0]


def test_jax(boundary: ModuleType) -> None:
    jax = pytest.importorskip("jax")
    from boundary.jax import described

    with jax.enable_x64(True):
        y, seen = described(X, ROWS)
        assert seen.tolist() == [3, 1, 5, 1, *NOTHING] and (y == X).all()
        y, seen = described(X.T, ROWS[0], X, turned=True, count=7, scale=0.5)
        assert seen.tolist() == [1, 2, 0, 1, 3, 1, 1, 7, 0.5, 0, 0] and (y == X).all()
        y, seen = jax.jit(lambda x, r: described(x, r, exact=True, out_dtype=np.float64))(X, ROWS)
        assert y.dtype == np.float64 and seen[6:].tolist() == [0, 0, 0, 1, 3]
