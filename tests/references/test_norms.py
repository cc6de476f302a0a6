"""Elementwise and normalizing references equal PyTorch's functions."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from array_api_compat import torch as torch_namespace

from .calls import call, convert, differentiable, normal, reference, same, to_torch


@pytest.mark.parametrize("shape", [(), (0,), (1,), (3, 5)])
def test_elementwise(shape) -> None:
    x, y = normal(*shape), normal(*shape)
    same(call(reference("relu"), x), F.relu(to_torch(x)))
    same(call(reference("tensor_negate"), x), -x)
    same(call(reference("tensor_add"), x, y), x + y)
    differentiable(reference("relu"), [x], (0,))


@pytest.mark.parametrize("shape", [(2,), (0, 6), (3, 10), (2, 1, 2)])
def test_silu_and_mul(shape) -> None:
    silu_and_mul = reference("silu_and_mul")
    x = normal(*shape)
    a, b = to_torch(x).chunk(2, -1)
    same(call(silu_and_mul, x), F.silu(a) * b)
    differentiable(silu_and_mul, [x], (0,))
    x = np.array([-800.0, -100.0, 0.0, 800.0, 1.0, 1.0, 1.0, 1.0])
    same(call(silu_and_mul, x), np.array([0.0, -3.720075976020836e-42, 0.0, 800.0]))
    differentiable(silu_and_mul, [x], (0,))


@pytest.mark.parametrize("approximate", ["none", "tanh"])
@pytest.mark.parametrize("shape", [(2,), (0, 6), (3, 10), (2, 1, 2)])
def test_gelu_and_mul(shape, approximate) -> None:
    family, attrs = "gelu_and_mul", {"approximate": approximate}
    x = normal(*shape)
    a, b = to_torch(x).chunk(2, -1)
    wanted = F.gelu(a, approximate=approximate) * b
    same(call(reference(family), x, **attrs), wanted)
    same(call(reference(family, "geglu"), a.numpy(), b.numpy(), **attrs), wanted)
    differentiable(reference(family), [x], (0,), **attrs)


def test_the_tail_of_gelu() -> None:
    """gelu is accurate for numbers at which PyTorch's `1 + erf` and `1 + tanh` lose all digits."""
    x = np.array([-30.0, -10.0, -5.0, 40.0])
    scale = np.array([1e196, 1e23, 1e6, 1.0])
    geglu = reference("gelu_and_mul", "geglu")
    exact = np.array([-1.4720141781444563, -7.6198530241605252, -1.4332578593959695, 40.0])
    same(call(geglu, x, scale, approximate="none"), exact)
    same(call(geglu, x[1:2], np.array([1e37]), approximate="tanh"), np.array([-1.2040923482098023]))


def test_swiglu() -> None:
    gate, up = normal(2, 3, 5), normal(2, 3, 5)
    swiglu = reference("silu_and_mul", "swiglu")
    same(call(swiglu, gate, up), F.silu(to_torch(gate)) * to_torch(up))
    differentiable(swiglu, [gate, up], (0, 1))


@pytest.mark.parametrize(
    "shape, norm", [((3, 5), 1), ((1,), 1), ((0, 4), 1), ((2, 3, 4), 2), ((3,), 0)]
)
@pytest.mark.parametrize("weighted, biased", [(True, True), (False, False)])
def test_layer_norm(shape, norm, weighted, biased) -> None:
    layer_norm = reference("layer_norm")
    dims = shape[len(shape) - norm :]
    x = normal(*shape)
    weight = normal(*dims) if weighted else None
    bias = normal(*dims) if biased else None
    attrs = {"normalized_shape": list(dims), "eps": 1e-5}
    got = call(layer_norm, x, weight, bias, **attrs)
    if norm:
        given = convert(to_torch, (weight, bias))
        same(got, F.layer_norm(to_torch(x), dims, *given, 1e-5))
    else:  # one element per row: the variance is 0
        wanted = np.zeros(shape) * (weight if weighted else 1.0)
        same(got, wanted + (bias if biased else 0.0))
    places = tuple(n for n, t in enumerate((x, weight, bias)) if t is not None)
    differentiable(layer_norm, [x, weight, bias], places, **attrs)


def test_rms_norm() -> None:
    rms_norm = reference("rms_norm")
    x, weight = normal(2, 3, 5), normal(3, 5)
    wanted = F.rms_norm(to_torch(x), (3, 5), to_torch(weight), 1e-5)
    same(call(rms_norm, x, weight, eps=1e-5), wanted)
    differentiable(rms_norm, [x, weight], (0, 1), eps=1e-5)


@pytest.mark.parametrize("weighted", [True, False])
def test_rms_layer_norm(weighted) -> None:
    rms_layer_norm = reference("rms_layer_norm")
    x, weight = normal(2, 3, 5), normal(3, 5) if weighted else None
    attrs = {"normalized_shape": [3, 5], "eps": 2.0**-52, "offset": 0.0, "cast_first": True}
    wanted = F.rms_norm(to_torch(x), (3, 5), convert(to_torch, weight))
    same(call(rms_layer_norm, x, weight, **attrs), wanted)
    attrs["offset"] = 1.0
    differentiable(rms_layer_norm, [x, weight], (0, 1) if weighted else (0,), **attrs)


def test_fused_add_rms_norm_rounds_the_residual_first() -> None:
    x, residual, weight = (torch.rand(4, 8).bfloat16() for _ in range(3))
    total = x + residual
    y, updated = reference("fused_add_rms_norm")(torch_namespace, x, residual, weight[0], eps=0.0)
    wanted = F.rms_norm(total.double(), (8,), weight[0].double(), 0.0)
    assert torch.equal(updated, total) and y.dtype == torch.bfloat16
    torch.testing.assert_close(y.double(), wanted, rtol=2**-8, atol=0)
