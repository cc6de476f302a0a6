"""Sizes may depend on dtypes, on ranks and on the presence of inputs.

This file also tests sums in `values`, complex numbers and lists.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_a_size_that_goes_by_the_dtype(boundary: ModuleType) -> None:
    torch, jax = pytest.importorskip("torch"), pytest.importorskip("jax")
    from boundary.jax import packed as in_jax
    from boundary.torch import packed

    with jax.enable_x64(True):
        for dtype, bits in ((np.float32, 32), (np.float64, 64)):
            x = np.arange(4 * bits, dtype=dtype).reshape(2, 2 * bits)
            wanted = x.reshape(2, 2, bits).sum(2)
            for call in (packed, torch.compile(packed, fullgraph=True)):
                assert np.array_equal(call(torch.from_numpy(x)), wanted)
            for call in (in_jax, jax.jit(in_jax)):
                assert np.array_equal(call(x), wanted)
    for call, x in ((packed, torch.ones(2, 33)), (in_jax, np.ones((2, 33), np.float32))):
        with pytest.raises(ValueError, match=r"x: expected a size of the form `n \* bits\(T\)`"):
            call(x)


def test_sizes_that_go_by_presence_and_rank(boundary: ModuleType) -> None:
    torch, jax = pytest.importorskip("torch"), pytest.importorskip("jax")
    from boundary.jax import extended as in_jax
    from boundary.torch import extended

    two = np.stack([X, X + 1])
    # The fields b, m, k and rows, and the rank of `more`.
    calls = [
        ((X,), X, [0, 2, 0, 2, -1]),
        ((X, X[:1]), np.concatenate([X, X[:1]]), [0, 2, 1, 3, 2]),
        ((two,), X, [2, 2, 0, 2, -1]),
        ((two, X), np.concatenate([X, X]), [2, 2, 2, 4, 2]),
    ]
    for arrays, wanted, fields in calls:
        for call in (extended, torch.compile(extended, fullgraph=True)):
            y, seen = call(*map(torch.from_numpy, arrays))
            assert np.array_equal(y, wanted) and seen.tolist() == fields
        with jax.enable_x64(True):
            for call in (in_jax, jax.jit(in_jax)):
                y, seen = call(*arrays)
                assert np.array_equal(y, wanted) and seen.tolist() == fields
    with pytest.raises(ValueError, match="requires b > 1 if rank"):
        extended(torch.ones(1, 2, 3))
    for call, x in ((extended, torch.ones(2, 2, 1)), (in_jax, np.ones((2, 2, 1), np.float32))):
        with pytest.raises(ValueError, match="extended: requires more, or columns"):
            call(x)


def test_a_backward_that_does_without(boundary: ModuleType) -> None:
    torch, jax = pytest.importorskip("torch"), pytest.importorskip("jax")
    from boundary.jax import gated as in_jax
    from boundary.torch import gated

    for by in (None, X[1]):
        wanted = X if by is None else X * by
        for call in (gated, torch.compile(gated, fullgraph=True)):
            x = torch.tensor(X, requires_grad=True)
            y = call(x, None if by is None else torch.tensor(by), scale=3.0)
            (dx,) = torch.autograd.grad(y.sum(), x)
            assert np.array_equal(y.detach(), wanted) and (dx == 100).all()

        def total(x, by=by):
            return in_jax(x, by, scale=3.0).sum()

        for wrap in (lambda f: f, jax.jit):
            assert (wrap(jax.grad(total))(X) == 100).all()
        assert (jax.vmap(jax.grad(total))(np.stack([X, X])) == 100).all()


SUMS = """
import numpy as np, torch, boundary.jax, boundary.torch
x, n, w = np.ones(5, np.float32), np.int32([2, 0, 3]), np.float32([1, 2, 0])
for call, of in ((boundary.torch.segmented, torch.from_numpy), (boundary.jax.segmented, np.asarray)):
    assert np.array_equal(call(of(x), of(n)), n), call
    assert np.array_equal(call(of(x), of(n), of(w)), n * w), call
    for arrays in ((x, n + 1), (x[1:], n), (x, n, -w)):
        try:
            call(*map(of, arrays))
        except ValueError as error:
            assert "expected" in str(error) and "sum(" in str(error), error
        else:
            raise AssertionError(arrays)
"""


def test_sums_in_values(boundary: ModuleType, project: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("jax")
    environment = {**os.environ, "OPGEN_CHECK_VALUES": "1", "PYTHONPATH": str(project)}
    done = subprocess.run([sys.executable, "-c", SUMS], env=environment, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


def test_complex_numbers(boundary: ModuleType) -> None:
    torch, jax = pytest.importorskip("torch"), pytest.importorskip("jax")
    from boundary.jax import rotated as in_jax
    from boundary.torch import rotated

    for dtype in (np.complex64, np.complex128):
        x = (X + 1j * X.T.reshape(2, 3)).astype(dtype)
        for given, by in ((1j, 1j), (2, 2), ([0.5, -1], 0.5 - 1j)):

            def on_torch(x, by=given):
                return rotated(x, by=by)

            def on_jax(x, by=given):
                return in_jax(x, by=by)

            found = [c(torch.from_numpy(x)) for c in (on_torch, torch.compile(on_torch))]
            with jax.enable_x64(True):
                found += [c(x) for c in (on_jax, jax.jit(on_jax), jax.vmap(on_jax))]
            for y, norm in found:
                y, norm = np.asarray(y), np.asarray(norm)
                assert y.dtype == dtype and np.array_equal(y, x * dtype(by))
                assert norm.dtype == x.real.dtype and np.allclose(norm, np.abs(y) ** 2)


def test_lists_of_sizes_of_their_own(boundary: ModuleType) -> None:
    torch, jax = pytest.importorskip("torch"), pytest.importorskip("jax")
    from boundary.jax import weighed as in_jax
    from boundary.torch import weighed

    xs, w = [X, X[:1], X[:0]], np.float32([1, 2, 3])
    gradients = [*(2 * x * w * w for x in xs), sum(2 * (x * x).sum(0) for x in xs) * w]

    def squares(results):
        ys, rows = results
        assert [int(n) for n in rows] == [2, 1, 0]
        assert all(np.array_equal(y.detach(), x * w) for y, x in zip(ys, xs, strict=True))
        return sum((y * y).sum() for y in ys)

    for call in (weighed, torch.compile(weighed, fullgraph=True)):
        given = [torch.tensor(a, requires_grad=True) for a in (*xs, w)]
        found = torch.autograd.grad(squares(call(given[:3], given[3])), given)
        assert all(np.array_equal(a, b) for a, b in zip(found, gradients, strict=True))
    for wrap in (lambda f: f, jax.jit):
        grad = wrap(jax.grad(lambda *a: sum((y * y).sum() for y in in_jax(a[:3], a[3])[0]), (0, 3)))
        of_x, of_w = grad(*xs, w)
        assert np.array_equal(of_x, gradients[0]) and np.array_equal(of_w, gradients[3])
    rows = jax.vmap(lambda x: in_jax([x, xs[1]], w)[0][0])(np.stack([X, X + 1]))
    assert np.array_equal(rows, np.stack([X * w, (X + 1) * w]))


# The rendered tests that JAX does not compile for every size.
QUICK = "descriptor or fake or torch_values or torch_gradients or gradcheck"


@pytest.mark.slow
def test_rendered_tests(project: Path, boundary: ModuleType) -> None:
    pytest.importorskip("torch")
    files = [f"boundary/tests/test_ops.py::{op}" for op in ("segmented", "rotated", "weighed")]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-k", QUICK]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [*command, *files], cwd=project, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-3000:]
