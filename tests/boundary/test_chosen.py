"""The dtype, the rank, an attr or the presence of an input selects a kernel's function."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

X = np.arange(6, dtype=np.float32).reshape(3, 2)
# dtype, rank, True if `by` is given, and the number of the function that must run.
CASES = [
    (np.float64, 1, False, 1),
    (np.float64, 2, True, 1),
    (np.float32, 1, True, 2),
    (np.float32, 2, True, 2),
    (np.float32, 2, False, 3),
    (np.float32, 1, False, 4),
]
MODES = {"a": [10, 11, 12], "b": [20, 21, 22], "c": [10, 11, 12]}


def arguments(dtype: type, rank: int, by: bool) -> list[np.ndarray]:
    x = X.astype(dtype)
    return [x if rank == 2 else x[:, 0].copy(), *([x[:, 1].copy()] if by else [])]


def test_torch(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import stamped, stamped_plain

    for dtype, rank, by, number in CASES:
        given = [torch.from_numpy(a) for a in arguments(dtype, rank, by)]
        torch.compiler.reset()
        for call in (stamped, torch.compile(stamped, fullgraph=True, backend="aot_eager")):
            y, seen = call(*given)
            assert seen == number and torch.equal(y, 2 * given[0].flatten()[: len(y)])
    x = torch.from_numpy(X)
    for mode, wanted in MODES.items():
        assert stamped_plain(x, mode=mode).tolist() == wanted
    several = torch.func.vmap(lambda x: stamped_plain(x, mode="b"))(torch.stack([x, x]))
    assert several.tolist() == [MODES["b"]] * 2


def test_jax(boundary: ModuleType) -> None:
    jax = pytest.importorskip("jax")
    from boundary.jax import stamped, stamped_plain

    for dtype, rank, by, number in CASES:
        if dtype is np.float64:
            continue
        given = arguments(dtype, rank, by)
        for call in (stamped, jax.jit(stamped)):
            y, seen = call(*given)
            assert seen == number and np.array_equal(y, 2 * given[0].flatten()[: len(y)])
    with jax.enable_x64():
        assert stamped(*arguments(np.float64, 2, False))[1] == 1
    for mode, wanted in MODES.items():
        assert stamped_plain(X, mode=mode).tolist() == wanted
    several = jax.vmap(lambda x: stamped_plain(x, mode="b"))(np.stack([X, X]))
    assert several.tolist() == [MODES["b"]] * 2
