"""Gradient formulas may combine tensors with different shapes, which attrs and ranks decide."""

from __future__ import annotations

import itertools
from types import ModuleType

import numpy as np
import pytest

RNG = np.random.default_rng(0)
WAYS = list(itertools.product([False, True], [1, 2], [False, True]))


def drawn(turned: bool, rank: int, scaled: bool) -> list[np.ndarray]:
    """Return random x, w, s (only if `scaled`) and a cotangent."""
    m, n = 2, 3
    shapes = [(m, n), (m, n)[2 - rank :]]
    if scaled:
        shapes.append((n, m) if turned else (m,))
    shapes.append((n, m) if turned else (m, n))
    return [RNG.standard_normal(shape).astype(np.float32) for shape in shapes]


def plain(x, w, s=None, *, turned):
    """Compute the op with arrays of either framework."""
    y = x * w
    if s is not None:
        y = y * (s.T if turned else s[:, None])
    return y.T if turned else y


@pytest.mark.parametrize("turned, rank, scaled", WAYS)
def test_torch(boundary: ModuleType, turned: bool, rank: int, scaled: bool) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import weighted

    torch.compiler.reset()
    *given, dy = [torch.from_numpy(a) for a in drawn(turned, rank, scaled)]
    wide = [a.double().requires_grad_() for a in given]
    wanted = torch.autograd.grad(plain(*wide, turned=turned), wide, dy.double())
    for call in (weighted, torch.compile(weighted, fullgraph=True, backend="aot_eager")):
        ours = [a.clone().requires_grad_() for a in given]
        y = call(*ours, turned=turned)
        torch.testing.assert_close(y, plain(*given, turned=turned))
        for a, b in zip(torch.autograd.grad(y, ours, dy), wanted, strict=True):
            torch.testing.assert_close(a, b.float())
    _, pull = torch.func.vjp(lambda *a: weighted(*a, turned=turned), *given)
    several = torch.func.vmap(pull)(torch.stack([dy, 2 * dy]))
    for a, b in zip(several, wanted, strict=True):
        torch.testing.assert_close(a, torch.stack([b, 2 * b]).float())


@pytest.mark.parametrize("turned, rank, scaled", WAYS)
def test_jax(boundary: ModuleType, turned: bool, rank: int, scaled: bool) -> None:
    jax = pytest.importorskip("jax")
    from boundary.jax import weighted

    *given, dy = drawn(turned, rank, scaled)
    y, pull = jax.vjp(lambda *a: plain(*a, turned=turned), *given)
    for call in (weighted, jax.jit(weighted, static_argnames="turned")):
        found, ours = jax.vjp(lambda *a: call(*a, turned=turned), *given)  # noqa: B023
        np.testing.assert_allclose(found, y, rtol=1e-6)
        for a, b in zip(ours(dy), pull(dy), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
    for a, b in zip(jax.vmap(ours)(np.stack([dy, 2 * dy])), pull(dy), strict=True):
        np.testing.assert_allclose(a, np.stack([b, 2 * b]), rtol=1e-5, atol=1e-6)


LISTS = (
    [RNG.standard_normal(shape).astype(np.float32) for shape in [(2, 3), (4, 1)]],
    [RNG.standard_normal(n).astype(np.float32) for n in (2, 4)],
    [np.arange(1, 1 + n) for n in (2, 4)],
)
FACTORS = [(w * n).astype(np.float32)[:, None] for w, n in zip(*LISTS[1:])]


def test_lists_without_a_gradient_in_torch(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import counted

    _, *rest = [[torch.from_numpy(a) for a in each] for each in LISTS]
    factors = [torch.from_numpy(f) for f in FACTORS]
    for turn in (lambda x: x, lambda x: x.mT.contiguous().mT):
        xs = [turn(torch.tensor(x)).requires_grad_() for x in LISTS[0]]
        ys = counted(xs, *rest)
        sum((y * y).sum() for y in ys).backward()
        for x, y, factor in zip(xs, ys, factors):
            torch.testing.assert_close(y, x * factor)
            torch.testing.assert_close(x.grad, 2 * x * factor**2)
    with pytest.raises(ValueError, match=r"counted: ws\[1\]: expected shape \(4,\) .*p = 4 of xs"):
        counted(xs, [rest[0][0]] * 2, rest[1])
    with pytest.raises(TypeError, match=r"counted: ws\[1\]: expected 1 dims"):
        counted(xs, [rest[0][0], xs[1]], rest[1])
    elsewhere = [rest[0][0], rest[0][1].to("meta")]
    with pytest.raises(ValueError, match=r"counted: ws\[1\]: expected a tensor on cpu, as xs\[0\]"):
        counted(xs, elsewhere, rest[1])


def test_lists_without_a_gradient_in_jax(boundary: ModuleType) -> None:
    jax = pytest.importorskip("jax")
    from boundary.jax import counted

    xs, *rest = LISTS
    call = lambda xs: counted(xs, *rest)  # noqa: E731
    plain = lambda xs: [x * factor for x, factor in zip(xs, FACTORS)]  # noqa: E731
    for wrap in (lambda f: f, jax.jit):
        for run in (lambda f: jax.vjp(f, xs)[1](f(xs))[0], lambda f: jax.jvp(f, (xs,), (xs,))[1]):
            jax.tree.map(
                lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-5),
                *(list(run(wrap(f))) for f in (call, plain)),
            )
    with pytest.raises(ValueError, match=r"counted: ws\[1\]: expected shape \(4,\) .*p = 4 of xs"):
        counted(xs, [rest[0][0]] * 2, rest[1])
