"""A layer of experts made of `topk_softmax`, `moe_permute`, `grouped_gemm` and `moe_unpermute`."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from generated.torch import grouped_gemm, moe_permute, moe_unpermute, topk_softmax

TOKENS, D, EXPERTS, K = 37, 24, 6, 2


def experts(x: Tensor, logits: Tensor, weight: Tensor) -> Tensor:
    chosen, ids = topk_softmax(logits, k=K, renormalize=True)
    rows, offsets, places = moe_permute(x, ids, e=EXPERTS)
    return moe_unpermute(grouped_gemm(rows, weight, offsets), places, chosen)


def plain(x: Tensor, logits: Tensor, weight: Tensor) -> Tensor:
    """Run one expert after the other, each on the tokens that chose it, as models do."""
    chosen, ids = F.softmax(logits, -1).topk(K)
    chosen = chosen / chosen.sum(-1, keepdim=True)
    y = torch.zeros_like(x)
    for expert in range(EXPERTS):
        token, slot = torch.where(ids == expert)
        y = y.index_add(0, token, x[token] @ weight[expert] * chosen[token, slot, None].to(x.dtype))
    return y


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_a_layer_of_experts(dtype: torch.dtype) -> None:
    """Results and gradients of a layer of experts agree with float64, including those of logits."""
    x, logits = torch.randn(TOKENS, D).to(dtype), torch.randn(TOKENS, EXPERTS)
    weight = (torch.randn(EXPERTS, D, D) / D**0.5).to(dtype)
    given = [each.requires_grad_() for each in (x, logits, weight)]
    wide = [each.detach().double().requires_grad_() for each in given]
    y, exact = experts(*given), plain(*wide)
    dy = torch.randn_like(y)
    found = torch.autograd.grad(y, given, dy)
    eps = torch.finfo(dtype).eps
    wanted = torch.autograd.grad(exact, wide, dy.double())
    for one, other, like in zip([y, *found], [exact, *wanted], [x, *given], strict=True):
        assert one.dtype == like.dtype
        scale = float(other.detach().abs().max())
        torch.testing.assert_close(one.double(), other, rtol=4 * eps, atol=4 * eps * scale)


def test_the_order_of_rows() -> None:
    """Rows are sorted by expert, and then by token; an expert without tokens has no rows."""
    x, ids = torch.arange(4.0)[:, None], torch.tensor([[2, 0], [0, 3], [2, 3], [0, 2]])
    rows, offsets, places = moe_permute(x, ids, e=5)
    assert offsets.tolist() == [0, 3, 3, 6, 8, 8]
    assert rows.ravel().tolist() == [0, 1, 3, 0, 2, 3, 1, 2]
    assert places.tolist() == [[3, 0], [1, 6], [4, 7], [2, 5]]


def test_an_index_out_of_range() -> None:
    x, ids = torch.randn(2, 3), torch.tensor([[0, 1], [4, 0]])
    with pytest.raises(ValueError, match="moe_permute: ids: expected 0 <= ids < 4, got 4"):
        moe_permute(x, ids, e=4)
    places = torch.tensor([[0, 1], [4, 0]], dtype=torch.int32)
    with pytest.raises(ValueError, match="moe_unpermute: places"):
        moe_unpermute(torch.randn(4, 3), places)


def test_rows_that_are_named_twice_or_never() -> None:
    rows = torch.randn(4, 3, dtype=torch.float64, requires_grad=True)
    places = torch.tensor([[1, 1], [3, 1]], dtype=torch.int32)
    weights = torch.randn(2, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(moe_unpermute, (rows, places, weights))
