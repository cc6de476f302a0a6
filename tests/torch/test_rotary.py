"""`apply_rotary` compared with the functions of transformers' models, whose layouts it accepts."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from generated.torch import apply_rotary

FLOATS = [torch.float32, torch.bfloat16, torch.float16, torch.float64]
TOKENS, HEADS, KEY_HEADS, HEAD = 9, 4, 2, 16


def angles(dtype: torch.dtype, *, batch: int, repeat: str) -> tuple[Tensor, Tensor]:
    """Return cosines and sines, `batch tokens head`, each angle twice: in halves or adjacent."""
    found = torch.rand(batch, TOKENS, HEAD // 2) * 6
    found = torch.cat([found, found], -1) if repeat == "half" else found.repeat_interleave(2, -1)
    return found.cos().to(dtype), found.sin().to(dtype)


def heads(count: int, dtype: torch.dtype, order: str) -> Tensor:
    """Return a random head tensor as models make it: heads come before tokens only in a view."""
    made = torch.randn(2, TOKENS, count * HEAD).to(dtype).view(2, TOKENS, count, HEAD)
    made = made.transpose(1, 2) if order == "HSD" else made
    return made.detach().requires_grad_()


def llama(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    pytest.importorskip("transformers", reason="transformers is not installed")
    from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

    return apply_rotary_pos_emb(q, k, cos, sin, unsqueeze_dim=axis)


def cohere(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """Rotate adjacent pairs, as in GPT-J, with the same signature as the function for Llama."""
    pytest.importorskip("transformers", reason="transformers is not installed")
    from transformers.models.cohere.modeling_cohere import apply_rotary_pos_emb

    return apply_rotary_pos_emb(q, k, cos, sin, unsqueeze_dim=axis)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("order", ["HSD", "SHD"])
@pytest.mark.parametrize("style", ["half", "interleaved"])
def test_a_model(style: str, order: str, dtype: torch.dtype) -> None:
    """Results, their layout and gradients equal a model's.

    The rows of a batch may share their positions or have separate ones.
    """
    model = llama if style == "half" else cohere  # which computes in f32, even for f64
    eps = torch.finfo(torch.float32 if model is cohere and dtype == torch.float64 else dtype).eps
    for batch in (1, 2):
        q, k = heads(HEADS, dtype, order), heads(KEY_HEADS, dtype, order)
        cos, sin = angles(dtype, batch=batch, repeat=style)
        wanted = model(q, k, cos, sin, 1 if order == "HSD" else 2)
        given = (cos[0], sin[0]) if batch == 1 else (cos, sin)
        got = apply_rotary(q, k, *given, order=order, style=style)
        dy = [torch.randn_like(y) for y in wanted]
        ours, theirs = (torch.autograd.grad(y, (q, k), dy) for y in (got, wanted))
        assert [y.stride() for y in got] == [y.stride() for y in wanted]
        for one, other in zip([*got, *ours], [*wanted, *theirs], strict=True):
            assert one.dtype == other.dtype
            torch.testing.assert_close(one, other, rtol=4 * eps, atol=8 * eps)


def test_gptj() -> None:
    """GPT-J rotates a part of each head, and its table has each angle once."""
    pytest.importorskip("transformers", reason="transformers is not installed")
    from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb

    q, part = heads(HEADS, torch.float32, "SHD"), HEAD // 2
    found = torch.rand(1, TOKENS, part // 2)
    rotated = apply_rotary_pos_emb(q[..., :part], found.sin(), found.cos())
    cos, sin = (x[0].repeat_interleave(2, -1) for x in (found.cos(), found.sin()))
    got, _ = apply_rotary(q, q, cos, sin, order="SHD", style="interleaved")
    torch.testing.assert_close(got, torch.cat([rotated, q[..., part:]], -1))


@pytest.mark.parametrize("style", ["half", "interleaved"])
def test_more_than_a_cache_holds(style: str) -> None:
    """Results for many tokens have the same bits as those for a few tokens at a time.

    Many tokens are read in longer stretches, which do not fit into a cache.
    """
    q, k, cos, sin = (
        torch.randn(2, *s) for s in ((8, 515, 70), (2, 515, 70), (515, 64), (515, 64))
    )
    whole = apply_rotary(q, k, cos, sin, style=style)
    pieces = [
        apply_rotary(*(x[..., at : at + 50, :] for x in (q, k, cos, sin)), style=style)
        for at in range(0, 515, 50)
    ]
    for one, parts in zip(whole, zip(*pieces, strict=True), strict=True):
        assert torch.equal(one, torch.cat(parts, dim=2))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("style", ["half", "interleaved"])
def test_any_strides_and_any_angles(style: str, dtype: torch.dtype) -> None:
    """Strided elements, and pairs with two different angles, agree with their formula in f64."""
    x = torch.randn(2, HEAD, HEADS, TOKENS).to(dtype).permute(0, 2, 3, 1)
    cos, sin = (torch.randn(TOKENS, HEAD - 2).to(dtype) for _ in range(2))
    a, b = (
        x[..., : HEAD - 2].double().chunk(2, -1)
        if style == "half"
        else (x[..., i : HEAD - 2 : 2].double() for i in (0, 1))
    )
    turned = torch.cat([-b, a], -1) if style == "half" else torch.stack([-b, a], -1).flatten(-2)
    wanted = torch.cat([x[..., : HEAD - 2] * cos.double() + turned * sin, x[..., -2:]], -1)
    for given in (x, x.contiguous()):
        got, _ = apply_rotary(given, given, cos, sin, style=style)
        assert got.stride() == given.stride()
        eps = torch.finfo(dtype).eps
        torch.testing.assert_close(got.double(), wanted, rtol=eps, atol=16 * eps)


@pytest.mark.parametrize("dtype", FLOATS[1:3])
def test_errors_against_f64_are_no_larger_than_native(dtype: torch.dtype) -> None:
    q, k = heads(HEADS, dtype, "HSD"), heads(KEY_HEADS, dtype, "HSD")
    cos, sin = angles(dtype, batch=2, repeat="half")
    exact = llama(q.double(), k.double(), cos.double(), sin.double(), 1)
    ours, native = apply_rotary(q, k, cos, sin), llama(q, k, cos, sin, 1)
    for got, other, wanted in zip(ours, native, exact, strict=True):
        assert (got - wanted).abs().max() <= (other - wanted).abs().max()
