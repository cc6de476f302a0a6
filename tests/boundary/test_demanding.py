"""A kernel may accept only some calls, and may request a workspace (temporary memory)."""

from __future__ import annotations

import re
import warnings
from types import ModuleType

import numpy as np
import pytest

X = np.arange(1, 25, dtype=np.float32)
TAKEN, NOT_TAKEN = X.reshape(3, 8), X.reshape(4, 6)


@pytest.fixture(scope="module")
def torch_ops(boundary: ModuleType) -> ModuleType:
    pytest.importorskip("torch")
    import boundary.torch

    return boundary.torch


@pytest.fixture(scope="module")
def jax_ops(boundary: ModuleType) -> ModuleType:
    pytest.importorskip("jax")
    import boundary.jax

    return boundary.jax


def check(y, ran, x, factor, wanted) -> None:
    np.testing.assert_allclose(np.asarray(y), x * factor, rtol=1e-6)
    assert (np.asarray(ran) == wanted).all()


@pytest.mark.parametrize("x, ran", [(TAKEN, 1), (NOT_TAKEN, 0), (TAKEN.astype(np.float64), 0)])
def test_torch_runs_the_kernel_or_the_reference(torch_ops, x, ran) -> None:
    import torch

    given = torch.from_numpy(x)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for factor in (None, 3.0):
            y, found = torch_ops.scaled(given, factor=factor)
            check(y, found, x, factor or x.shape[1] ** -0.5, ran)
        y, found = torch_ops.scaled(given, given, factor=2.0)
        check(y, found, x, 2.0, ran)
        y, found = torch.compile(torch_ops.scaled, fullgraph=True)(given)
        check(y, found, x, x.shape[1] ** -0.5, ran)


def test_torch_differentiates_where_the_default_depends_on_sizes(torch_ops) -> None:
    import torch

    for x in (TAKEN, NOT_TAKEN):
        given = torch.from_numpy(x).requires_grad_()
        torch_ops.scaled(given)[0].sum().backward()
        np.testing.assert_allclose(given.grad, np.full(x.shape, x.shape[1] ** -0.5))


def test_torch_says_what_the_kernel_requires(torch_ops) -> None:
    import torch

    y, ran = torch_ops.strict(torch.from_numpy(TAKEN))
    check(y, ran, TAKEN, 8**-0.5, 1)
    with pytest.raises(ValueError, match=r"strict: its kernel requires n % 4 == 0, got n = 6"):
        torch_ops.strict(torch.from_numpy(NOT_TAKEN))


@pytest.mark.parametrize("x, ran", [(TAKEN, 1), (NOT_TAKEN, 0)])
def test_jax_runs_the_kernel_or_the_reference(jax_ops, x, ran) -> None:
    import jax

    for factor in (None, 3.0):
        y, found = jax_ops.scaled(x, factor=factor)
        check(y, found, x, factor or x.shape[1] ** -0.5, ran)
    y, found = jax.vmap(jax_ops.scaled)(np.stack([x, 2 * x]))
    check(y[1], found[1], 2 * x, x.shape[1] ** -0.5, ran)
    (gradient,) = jax.grad(lambda x: jax_ops.scaled(x)[0].sum(), argnums=(0,))(x)
    np.testing.assert_allclose(gradient, np.full(x.shape, x.shape[1] ** -0.5))


def test_jax_says_what_the_kernel_requires(jax_ops) -> None:
    y, ran = jax_ops.strict(TAKEN)
    check(y, ran, TAKEN, 8**-0.5, 1)
    with pytest.raises(ValueError, match="strict: its kernel for cpu requires n % 4 == 0"):
        jax_ops.strict(NOT_TAKEN)


def test_torch_kernels_get_the_memory_they_ask_for(torch_ops) -> None:
    import torch

    for n in (1, 7, 1000):
        y, size, most = torch_ops.flipped(torch.arange(float(n)))
        assert y.tolist() == list(range(n))[::-1]
        assert (size.item(), most.item()) == (8 * n, torch.get_num_threads())


def test_jax_kernels_get_the_memory_they_ask_for(jax_ops) -> None:
    import jax

    for n in (1, 7, 1000):
        y, size, most = jax_ops.flipped(np.arange(n, dtype=np.float32))
        assert y.tolist() == list(range(n))[::-1]
        assert size == 8 * n and most > 0
    batch = np.arange(12, dtype=np.float32).reshape(3, 4)
    y, size, _ = jax.vmap(jax_ops.flipped)(batch)
    np.testing.assert_array_equal(y, batch[:, ::-1])
    assert size.tolist() == [32] * 3


MANY = 2**31


def test_torch_indices_of_32_bits(torch_ops) -> None:
    import torch

    byte = torch.zeros(1, dtype=torch.int8)
    assert torch_ops.narrow(byte.expand(MANY - 1)).item() == MANY - 1
    message = "narrow: its kernel requires less than 2**31 elements in every tensor, got more in x"
    with pytest.raises(ValueError, match=re.escape(message)):
        torch_ops.narrow(byte.expand(MANY))
    far = torch.zeros(3, dtype=torch.uint8).as_strided((3, 1), (0, 1))
    assert torch_ops.narrow(far).item() == 3
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert torch_ops.narrow_or_not(byte.expand(MANY)).item() == -1


def test_jax_indices_of_32_bits(jax_ops) -> None:
    import jax

    assert jax_ops.narrow(np.zeros((3, 4), np.int8)) == 12
    many = jax.ShapeDtypeStruct((2, MANY // 2), np.int8)
    with pytest.raises(ValueError, match="narrow: its kernel for cpu requires less than"):
        jax.jit(jax_ops.narrow).lower(many)
    jax.jit(jax_ops.narrow_or_not).lower(many)
