"""Sizes, gradients and reductions may depend on the call, in both frameworks."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_a_default_from_a_size_in_shapes_by_cases(boundary: ModuleType) -> None:
    torch, jax = pytest.importorskip("torch"), pytest.importorskip("jax")
    from boundary.jax import tempered as in_jax
    from boundary.torch import tempered

    # The slope depends on `scale`, which is n / 2, and on `single`.
    for x, single, slope in ((X, False, 3001.5), (X[0], True, 3101.5), (X.T, False, 2001.0)):
        for call in (tempered, torch.compile(tempered, fullgraph=True)):
            given = torch.tensor(x, requires_grad=True)
            (dx,) = torch.autograd.grad(call(given, single=single).sum(), given)
            assert (dx == slope).all()
        grad = jax.grad(lambda x: in_jax(x, single=single).sum())
        assert (grad(x) == slope).all() and (jax.jit(grad)(x) == slope).all()


def test_formulas_with_absent_inputs(boundary: ModuleType) -> None:
    torch, jax = pytest.importorskip("torch"), pytest.importorskip("jax")
    from boundary.jax import moved as in_jax
    from boundary.torch import moved

    by = X[1]
    for factor, more in ((None, None), (None, by), (by, None), (by, by)):
        arrays = [a for a in (X, factor, more) if a is not None]
        wanted = [np.ones_like(X) * (1 if factor is None else factor)]
        wanted += [] if factor is None else [X.sum(0)]
        wanted += [] if more is None else [np.full(3, 2, np.float32)]

        def spread(given, factor=factor, more=more):
            rest = iter(given[1:])
            return given[0], *(None if a is None else next(rest) for a in (factor, more))

        for call in (moved, torch.compile(moved, fullgraph=True)):
            given = [torch.tensor(a, requires_grad=True) for a in arrays]
            found = torch.autograd.grad(call(*spread(given)).sum(), given)
            assert all(np.array_equal(a, b) for a, b in zip(found, wanted, strict=True))
        for wrap in (lambda f: f, jax.jit):
            grad = wrap(jax.grad(lambda given: in_jax(*spread(given)).sum()))
            found = grad(arrays)
            assert all(np.array_equal(a, b) for a, b in zip(found, wanted, strict=True))


def test_empty_arrays_in_another_order(boundary: ModuleType) -> None:
    torch, jax = pytest.importorskip("torch"), pytest.importorskip("jax")
    from boundary.jax import tall as in_jax
    from boundary.torch import tall

    for x in (X, X[:0], X[:, :0]):
        for call, given in ((tall, torch.from_numpy(x)), (in_jax, x), (jax.jit(in_jax), x)):
            y, count = call(given)
            assert np.array_equal(y, x) and count == x.size


def test_reductions_by_cases(boundary: ModuleType) -> None:
    jax = pytest.importorskip("jax")
    if jax.device_count() < 2:
        pytest.skip("there is one device")
    from boundary.jax import folded

    rows = jax.sharding.NamedSharding(jax.make_mesh((2,), ("a",)), jax.P("a"))
    x = jax.device_put(X, rows)
    for mode, wanted in (("sum", X.sum(0)), ("max", X.max(0))):
        compiled = jax.jit(lambda x: folded(x, mode=mode)).lower(x).compile()  # noqa: B023
        assert np.array_equal(compiled(x), wanted)
        text = compiled.as_text()
        assert text.count("all-reduce(") == 1 and "all-gather" not in text


def test_lists_and_elements_that_are_not_there(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("jax")
    import boundary.jax as in_jax
    import boundary.torch as in_torch
    from boundary.core import TensorSpec, joined

    spec = TensorSpec((3,), "f32")
    calls = [
        (joined.infer, spec),
        (in_torch.joined, torch.ones(3)),
        (in_jax.joined, np.ones(3, np.float32)),
    ]
    for call, x in calls:
        with pytest.raises(ValueError, match="joined: v: expected a value at 0, got 0 values"):
            call([x], [x], v=[])
        with pytest.raises(ValueError, match="joined: b: expected 2 tensors, k of a, got 1"):
            call([x, x], [x])
