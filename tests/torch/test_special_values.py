"""NaN, infinities, signed zeros, huge and tiny values: what PyTorch's own ops make of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
import torch

from generated.torch import relu, tensor_add, tensor_negate

FLOATS = [torch.float32, torch.bfloat16, torch.float16, torch.float64]


def values(dtype: torch.dtype) -> torch.Tensor:
    """What a float may be: one of each kind, of either sign."""
    info = torch.finfo(dtype)
    some = [float("nan"), float("inf"), 0.0, info.max, info.tiny, info.smallest_normal / 2, 1.0, 3.7]  # fmt: skip
    return torch.tensor([sign * x for x in some for sign in (1, -1)], dtype=dtype)


def tuples(dtype: torch.dtype, count: int) -> list[torch.Tensor]:
    """`count` vectors that hold every combination of these values, past a vector register."""
    rows = list(itertools.product(values(dtype), repeat=count))
    return [torch.stack(column) for column in zip(*rows, *rows)]


def same(got: torch.Tensor, wanted: torch.Tensor) -> None:
    """Equal, a NaN where there is one, and zeros of the same sign."""
    assert got.dtype == wanted.dtype
    torch.testing.assert_close(got, wanted, rtol=0, atol=0, equal_nan=True)
    signs = (wanted == 0) & (got.signbit() != wanted.signbit())
    assert not signs.any(), f"the sign of zero at {signs.nonzero().flatten().tolist()}"


def gradients(op: Callable, *inputs: torch.Tensor, dy: torch.Tensor) -> list:
    """A result and the gradients of it for a cotangent."""
    inputs = tuple(x.clone().requires_grad_() for x in inputs)
    y = op(*inputs)
    return [y.detach(), *torch.autograd.grad(y, inputs, dy)]


@pytest.mark.parametrize("dtype", FLOATS)
def test_relu(dtype: torch.dtype) -> None:
    x, dy = tuples(dtype, 2)
    for got, wanted in zip(gradients(relu, x, dy=dy), gradients(torch.relu, x, dy=dy)):
        same(got, wanted)


@pytest.mark.parametrize("dtype", FLOATS)
def test_gradient_of_the_gradient_of_relu(dtype: torch.dtype) -> None:
    x, dy, ddx = tuples(dtype, 3)

    def second(op: Callable) -> torch.Tensor:
        y, cotangent = op(x.clone().requires_grad_()), dy.clone().requires_grad_()
        (dx,) = torch.autograd.grad(y, x_of(y), cotangent, create_graph=True)
        return torch.autograd.grad(dx, cotangent, ddx)[0]

    def x_of(y: torch.Tensor) -> torch.Tensor:
        return y.grad_fn.next_functions[0][0].variable

    same(second(relu), second(torch.relu))


@pytest.mark.parametrize("dtype", FLOATS)
def test_tensor_add(dtype: torch.dtype) -> None:
    a, b = (x[None] for x in tuples(dtype, 2))
    same(tensor_add(a, b), a + b)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_tensor_negate(dtype: torch.dtype) -> None:
    same(tensor_negate(values(dtype)), -values(dtype))
