"""`rms_layer_norm` compared with the norms of PyTorch and of transformers' Llama and Gemma."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from generated.torch import RMSLayerNorm, rms_layer_norm

FLOATS = [torch.float32, torch.bfloat16, torch.float16, torch.float64]
EPS = 1e-6


def llama(weight: Tensor) -> torch.nn.Module:
    pytest.importorskip("transformers", reason="transformers is not installed")
    from transformers.models.llama.modeling_llama import LlamaRMSNorm

    return filled(LlamaRMSNorm(weight.shape[0], EPS), weight)


def gemma(weight: Tensor) -> torch.nn.Module:
    pytest.importorskip("transformers", reason="transformers is not installed")
    from transformers.models.gemma.modeling_gemma import GemmaRMSNorm

    return filled(GemmaRMSNorm(weight.shape[0], EPS), weight)


def filled(module: torch.nn.Module, weight: Tensor) -> torch.nn.Module:
    module.weight = torch.nn.Parameter(weight.clone())
    return module


MODELS = {"llama": (llama, {"cast_first": True}), "gemma": (gemma, {"offset": 1.0})}


def same_but_for_a_last_bit(got: Tensor, wanted: Tensor, rounded: torch.dtype) -> None:
    """Check equality, except for the last bit of a few elements in a thousand.

    The results were rounded to the dtype `rounded`. The f32 values before rounding may differ by
    the order of additions.
    """
    assert got.dtype == wanted.dtype
    torch.testing.assert_close(got, wanted, rtol=4 * torch.finfo(rounded).eps, atol=1e-6)
    near = torch.isclose(got, wanted, rtol=8 * torch.finfo(torch.float32).eps, atol=1e-6)
    assert (~near).float().mean() < 5e-3


@pytest.mark.parametrize("mixed", [False, True], ids=["alike", "f32 weight"])
@pytest.mark.parametrize("dtype", FLOATS[:3])
@pytest.mark.parametrize("model", MODELS)
def test_a_model(model: str, dtype: torch.dtype, mixed: bool) -> None:
    """Results, gradients and dtypes equal those of transformers' module."""
    make, attrs = MODELS[model]
    weight = torch.randn(256).to(torch.float32 if mixed else dtype)
    x = (3 * torch.randn(64, 256)).to(dtype).requires_grad_()
    native = make(weight)
    ours = filled(RMSLayerNorm(256, eps=EPS, **attrs), weight)
    wanted, got = native(x), ours(x)
    same_but_for_a_last_bit(got, wanted, dtype)
    dy = torch.randn_like(wanted)
    found = torch.autograd.grad(got, (x, ours.weight), dy)
    for one, other in zip(found, torch.autograd.grad(wanted, (x, native.weight), dy)):
        assert one.dtype == other.dtype
        scale = other.abs().max().item()
        eps = torch.finfo(dtype).eps
        torch.testing.assert_close(one, other, rtol=8 * eps, atol=8 * eps * scale)


@pytest.mark.parametrize("dtype", FLOATS[1:3])
def test_the_casts_are_told_apart(dtype: torch.dtype) -> None:
    """The check above fails if a Gemma norm is used in place of a Llama norm."""
    weight, x = torch.randn(256).to(dtype), torch.randn(64, 256).to(dtype)
    with pytest.raises(AssertionError):
        same_but_for_a_last_bit(
            rms_layer_norm(x, weight, normalized_shape=[256], eps=EPS), llama(weight)(x), dtype
        )


@pytest.mark.parametrize("scale", [1.0, 1e-3, 0.0])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("dtype", FLOATS)
def test_pytorchs_defaults(dtype: torch.dtype, weighted: bool, scale: float) -> None:
    """Defaults for the weight and for eps are PyTorch's, even for inputs where eps dominates."""
    x = (scale * torch.randn(8, 4, 33)).to(dtype)
    weight = torch.randn(4, 33).to(dtype) if weighted else None
    got = rms_layer_norm(x, weight, normalized_shape=[4, 33])
    wanted = F.rms_norm(x, (4, 33), weight)
    assert got.dtype == wanted.dtype == dtype
    torch.testing.assert_close(got, wanted, rtol=8 * torch.finfo(dtype).eps, atol=1e-7)


def test_the_module_without_a_weight() -> None:
    ours, native = RMSLayerNorm(33, weight=False), torch.nn.RMSNorm(33, elementwise_affine=False)
    x = torch.randn(5, 33)
    assert ours.weight is None and not list(ours.parameters())
    torch.testing.assert_close(ours(x), native(x))


def test_the_weight_begins_where_the_factor_is_one() -> None:
    assert torch.equal(RMSLayerNorm(3).weight, torch.ones(3))
    assert torch.equal(RMSLayerNorm(3, offset=1.0).weight, torch.zeros(3))


@pytest.mark.parametrize("dtype", FLOATS)
def test_errors_against_f64_are_no_larger_than_native(dtype: torch.dtype) -> None:
    kinds = [torch.randn(64, 1024) * s for s in (1, 1e-4, 100)] + [torch.randn(64, 1024) + 100]
    weight = torch.randn(1024).to(dtype)
    for x in kinds:
        x = x.to(dtype)
        wide = x.to(torch.float64)
        exact = wide / (wide.square().mean(-1, keepdim=True) + EPS).sqrt() * weight.double()
        ours = rms_layer_norm(x, weight, normalized_shape=[1024], eps=EPS)
        native = F.rms_norm(x, (1024,), weight, EPS)
        error = [(y.double() - exact).abs().max().item() for y in (ours, native)]
        # Both round each result, and one may be closer by chance.
        rounding = 4 * torch.finfo(dtype).eps * exact.abs().max().item()
        assert error[0] <= error[1] + rounding
