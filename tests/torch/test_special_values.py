"""NaN, infinities, signed zeros, huge and tiny values give the results of PyTorch's own ops."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

from generated.torch import (
    cross_entropy,
    embedding,
    geglu,
    gelu_and_mul,
    layer_norm,
    relu,
    rms_layer_norm,
    rms_norm,
    silu_and_mul,
    swiglu,
    tensor_add,
    tensor_negate,
)
from opgen.testing import load, special_values

TESTS = Path(__file__).parents[2] / "generated" / "tests" / "test_ops.py"
FLOATS = [torch.float32, torch.bfloat16, torch.float16, torch.float64]


def values(dtype: torch.dtype) -> torch.Tensor:
    """Return one value of each kind of a float dtype, with both signs."""
    info = torch.finfo(dtype)
    some = [
        float("nan"),
        float("inf"),
        0.0,
        info.max,
        info.tiny,
        info.smallest_normal / 2,
        1.0,
        3.7,
    ]
    return torch.tensor([sign * x for x in some for sign in (1, -1)], dtype=dtype)


def tuples(dtype: torch.dtype, count: int) -> list[torch.Tensor]:
    """Return `count` vectors with all combinations of values, longer than a vector register."""
    rows = list(itertools.product(values(dtype), repeat=count))
    return [torch.stack(column) for column in zip(*rows, *rows)]


def same(got: torch.Tensor, wanted: torch.Tensor) -> None:
    """Check equality, with NaN equal to NaN and with the signs of zeros."""
    assert got.dtype == wanted.dtype
    torch.testing.assert_close(got, wanted, rtol=0, atol=0, equal_nan=True)
    same_zeros(got, wanted)


def same_zeros(got: torch.Tensor, wanted: torch.Tensor) -> None:
    """Check that zeros have the same sign."""
    signs = (got == 0) & (wanted == 0) & (got.signbit() != wanted.signbit())
    assert not signs.any(), f"the sign of zero at {signs.nonzero().flatten().tolist()}"


def gradients(op: Callable, *inputs: torch.Tensor, dy: torch.Tensor) -> list:
    """Return a result and its gradients for a cotangent."""
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


def of_pairs(op: Callable) -> Callable:
    """Return an op of two tensors, from an op of one tensor whose last dim has two halves."""
    return lambda a, b: op(torch.stack([a, b], -1))[:, 0]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("op", [of_pairs(silu_and_mul), swiglu])
def test_silu_and_mul(op: Callable, dtype: torch.dtype) -> None:
    """Results equal PyTorch's in the computation dtype, even if a product overflows."""
    wide, info = torch.promote_types(dtype, torch.float32), torch.finfo(dtype)
    a, b, dy = tuples(dtype, 3)

    def native(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return F.silu(a) * b

    wanted = gradients(native, a.to(wide), b.to(wide), dy=dy.to(wide))
    for got, exact in zip(gradients(op, a, b, dy=dy), wanted):
        exact = exact.to(dtype)
        smallest = info.smallest_normal * info.eps
        torch.testing.assert_close(got, exact, rtol=4 * info.eps, atol=smallest, equal_nan=True)
        same_zeros(got, exact)


@pytest.mark.parametrize("dtype", FLOATS[:-1])  # PyTorch's f64 has NaN if a cube overflows
@pytest.mark.parametrize("approximate", ["none", "tanh"])
@pytest.mark.parametrize(
    "op",
    [
        lambda how: of_pairs(partial(gelu_and_mul, approximate=how)),
        lambda how: partial(geglu, approximate=how),
    ],
)
def test_gelu_and_mul(op: Callable, approximate: str, dtype: torch.dtype) -> None:
    """Results equal PyTorch's in float64; PyTorch's float32 loses digits below 0.

    Only the last product is in float32.
    """
    info = torch.finfo(dtype)
    a, b, dy = tuples(dtype, 3)

    def native(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return F.gelu(a.double(), approximate=approximate).float() * b

    wanted = gradients(native, a.float(), b.float(), dy=dy.float())
    got = gradients(op(approximate), a, b, dy=dy)
    for found, exact in zip(got, wanted):
        smallest = info.smallest_normal * info.eps
        torch.testing.assert_close(
            found, exact.to(dtype), rtol=4 * info.eps, atol=smallest, equal_nan=True
        )
    same_zeros(got[0], wanted[0].to(dtype))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_silu_far_below_zero(dtype: torch.dtype) -> None:
    """Far below zero, results are subnormal.

    PyTorch's `silu` is already 0 if `exp(-x)` overflows.
    """
    x = torch.tensor([[-1e20, 1e20], [-100.0, 1.0], [-90.0, 1.0]], dtype=dtype)
    wanted = [[0.0], [-3.720075976020836e-42], [-7.374611361591464e-38]]
    wanted = torch.tensor(wanted, dtype=dtype)
    atol = 2 * torch.finfo(dtype).smallest_normal * torch.finfo(dtype).eps
    torch.testing.assert_close(
        silu_and_mul(x), wanted, rtol=2e-15 if dtype == torch.float64 else 1e-6, atol=atol
    )


class Masked(torch.autograd.Function):
    """relu with a gradient that is never NaN."""

    @staticmethod
    def forward(ctx, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return torch.relu(x)

    @staticmethod
    def backward(ctx, dy: torch.Tensor) -> torch.Tensor:
        return torch.where(ctx.saved_tensors[0] <= 0, 0, dy).nan_to_num()


FAULTS = {
    "a NaN becomes 0": (special_values.torch_values, lambda x: torch.where(x > 0, x, 0)),
    "an infinity becomes large": (
        special_values.torch_values,
        lambda x: torch.relu(x).clamp(max=1e4),
    ),
    "a huge number becomes NaN": (
        special_values.torch_values,
        lambda x: x * x / (x * x) * torch.relu(x),
    ),
    "a cotangent's NaN becomes 0": (special_values.torch_gradients, Masked.apply),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_rendered_check_finds(fault: str, monkeypatch) -> None:
    check, faulty = FAULTS[fault]
    subject = load(str(TESTS), "relu", package="generated", namespace="generated")
    cases = special_values.special_cases(subject.op)
    case = next(case for case in cases if ("T", "f32") in case.dtypes)
    check(subject, case)
    monkeypatch.setattr(importlib.import_module("generated.torch._relu"), "relu", faulty)
    with pytest.raises(AssertionError, match="^relu, "):
        for _ in range(20):  # a position without an effect is drawn occasionally
            check(subject, case)


def layer(x: torch.Tensor) -> torch.Tensor:
    return F.layer_norm(x, x.shape[-1:])


LABELS = torch.tensor([2, 0, 32])
INDICES = torch.tensor([0, 2, 2])
ROWS = {
    "rms_norm": (
        lambda x: rms_norm(x, torch.ones(33, dtype=x.dtype)),
        lambda x: F.rms_norm(x, (33,), eps=1e-5),
    ),
    "rms_layer_norm": (
        lambda x: rms_layer_norm(x, normalized_shape=[33], eps=1e-5),
        lambda x: F.rms_norm(x, (33,), eps=1e-5),
    ),
    "layer_norm": (lambda x: layer_norm(x, normalized_shape=[33]), layer),
    "cross_entropy": (
        lambda x: cross_entropy(x, LABELS, reduction="none"),
        lambda x: F.cross_entropy(x, LABELS, reduction="none"),
    ),
    "embedding": (lambda x: embedding(x, INDICES), lambda x: F.embedding(INDICES, x)),
}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("op", ROWS)
def test_a_row_with_a_special_value(op: str, dtype: torch.dtype, value: float) -> None:
    """NaN and infinities are in the same positions as in PyTorch's op, forward and backward."""
    ours, native = ROWS[op]
    for column in (0, 2, 20, 32):
        x = torch.randn(3, 33).to(dtype)
        x[0, column] = value
        dy = torch.randn_like(native(x))
        wide = torch.promote_types(dtype, torch.float32)
        found = gradients(ours, x, dy=dy.to(ours(x).dtype))
        wanted = gradients(native, x.to(wide), dy=dy.to(wide))
        for got, exact in zip(found, wanted):
            assert torch.equal(got.isnan(), exact.isnan())
            assert torch.equal(got.isposinf(), exact.isposinf())
            assert torch.equal(got.isneginf(), exact.isneginf())
