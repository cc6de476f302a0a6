"""An attr gives the sizes of a list's tensors, and its length gives their number."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

X = np.arange(24, dtype=np.float32).reshape(12, 2)
# more sizes than fit the default descriptor
SIZES = [3, 0, 1, 1, 1, 2, 1, 1, 1, 1]
AT = [2, 2, 5, 11]


def pieces(x, bounds):
    return [x[begin:end] for begin, end in zip(bounds, bounds[1:])]


def bounds(sizes):
    return [sum(sizes[:i]) for i in range(len(sizes) + 1)]


def same(found, wanted) -> bool:
    return len(found) == len(wanted) and all(map(np.array_equal, found, wanted))


def test_infer(boundary: ModuleType) -> None:
    from boundary.core import TensorSpec, between, cut, scaled_by

    x = TensorSpec((12, 2), "f32")
    assert [p.shape for p in cut.infer(x, sizes=SIZES).parts] == [(s, 2) for s in SIZES]
    assert [p.shape[0] for p in between.infer(x, at=AT).parts] == [0, 3, 6]
    with pytest.raises(ValueError, match=r"between: .*at\[i \+ 1\] - at\[i\] >= 0.*i = 1"):
        between.infer(x, at=[0, 5, 2])
    with pytest.raises(ValueError, match="scaled_by: by: expected a value at 1, got 1 values"):
        scaled_by.infer([x, x], [TensorSpec((12,), "f32")], n=1, by=[1])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_torch(boundary: ModuleType, dtype: str) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import between, cut, cut_bwd

    torch.compiler.reset()
    x = torch.from_numpy(X).to(getattr(torch, dtype)).requires_grad_()
    for call in (cut, torch.compile(cut, fullgraph=True, dynamic=True, backend="aot_eager")):
        for sizes in (SIZES, [5, 7], [12]):
            parts = call(x, sizes=sizes)
            assert same([p.detach() for p in parts], pieces(X, bounds(sizes)))
            (dx,) = torch.autograd.grad(sum((p * p).sum() for p in parts), x)
            assert torch.equal(dx, 2 * x)
    assert torch.equal(cut_bwd(pieces(x, bounds(SIZES)), sizes=SIZES), x)
    assert same([p.detach() for p in between(x, at=AT)], pieces(X, AT))
    (dx,) = torch.autograd.grad(between(x, at=AT)[1].sum(), x)
    assert dx[2:5].sum() == 6 and dx.sum() == 6
    batched = torch.func.vmap(lambda x: cut(x, sizes=[5, 7]))(torch.stack([x, 2 * x]).detach())
    assert same(batched[1][1], 2 * X[5:])
    torch.library.opcheck(torch.ops.boundary.cut.default, (x, [5, 7]))


def test_jax(boundary: ModuleType) -> None:
    jax = pytest.importorskip("jax")
    from boundary.jax import between, cut, cut_bwd

    for sizes in (SIZES, [5, 7], [12]):
        for call in (cut, jax.jit(cut, static_argnames="sizes")):
            assert same(call(X, sizes=tuple(sizes)), pieces(X, bounds(sizes)))
        dx = jax.grad(lambda x: sum((p * p).sum() for p in cut(x, sizes=sizes)))(X)  # noqa: B023
        assert np.array_equal(dx, 2 * X)
    assert np.array_equal(cut_bwd(pieces(X, bounds(SIZES)), sizes=SIZES), X)
    assert same(between(X, at=AT), pieces(X, AT))
    dx = jax.grad(lambda x: between(x, at=AT)[1].sum())(X)
    assert dx[2:5].sum() == 6 and dx.sum() == 6
    batched = jax.vmap(lambda x: cut(x, sizes=[5, 7]))(np.stack([X, 2 * X]))
    assert same(batched[1][1:], [2 * X[5:]])


def test_jax_over_devices(boundary: ModuleType) -> None:
    jax = pytest.importorskip("jax")
    if jax.device_count() < 2:
        pytest.skip("there is one device")
    from boundary.jax import cut

    columns = jax.sharding.NamedSharding(jax.make_mesh((2,), ("a",)), jax.P(None, "a"))
    x = jax.device_put(X, columns)
    compiled = jax.jit(lambda x: cut(x, sizes=SIZES)).lower(x).compile()
    assert same(compiled(x), pieces(X, bounds(SIZES)))
    assert "all-gather" not in compiled.as_text()


def test_wrong_calls(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("jax")
    import boundary.jax
    import boundary.torch

    for ops, of in ((boundary.torch, torch.from_numpy), (boundary.jax, np.asarray)):
        x, row = of(X), of(X[:, 0].copy())
        wrong = [
            (lambda: ops.cut(x, sizes=[5, 5]), r"cut: x: expected shape \(10, 2\)"),
            (lambda: ops.cut(x, sizes=[13, -1]), "cut: sizes: expected at least 0, got -1"),
            (lambda: ops.cut_bwd([x], sizes=[12, 0]), "cut_bwd: dparts: expected 2 tensors, k"),
            (lambda: ops.cut_bwd([x, x], sizes=[12, 1]), r"dparts.*: expected shape \(1, 2\)"),
            (lambda: ops.between(x, at=[0, 5, 2]), r"at\[i \+ 1\] - at\[i\] >= 0"),
            (lambda: ops.scaled_by([x, x], [row], n=1, by=[1]), "by: expected a value at 1, got 1"),
            (lambda: ops.scaled_by([x], [row], n=2, by=[1]), "y: expected 2 tensors, n, got 1"),
        ]
        for call, words in wrong:
            with pytest.raises(ValueError, match=words):
                call()
