"""Summation in matrix products, which `opgen/matmul.h` computes for all ops."""

from __future__ import annotations

import pytest
import torch

from generated.torch import grouped_gemm, grouped_gemm_wgrad


def test_long_sums_are_made_of_short_ones() -> None:
    """Long sums are made of short ones.

    Next to 2^24 each single 1 would be lost, but the sum of 128 of them is not.
    """
    a = torch.ones(1, 256)
    a[0, 0] = 2**24
    offsets = torch.tensor([0, 1], dtype=torch.int32)
    c = grouped_gemm(a, torch.ones(1, 256, 48), offsets)
    assert (c == 2**24 + 128).all()


@pytest.mark.parametrize("trans_b", [False, True])
@pytest.mark.parametrize("k, n", [(1, 1), (17, 33), (65, 31), (513, 40)])
def test_the_last_of_an_odd_number_of_terms_has_no_neighbour(k: int, n: int, trans_b: bool) -> None:
    """If the number of terms is odd, the last one is not paired with the memory after it.

    Terms of bf16 may be multiplied in pairs.
    """
    rows = 20
    a, b, dc = (
        torch.randn(shape, dtype=torch.bfloat16) for shape in [(rows, k), (k, n), (rows, n)]
    )
    a[1::2] = torch.inf  # after the last term of every other row
    offsets = torch.tensor([0, 0, rows], dtype=torch.int32)
    given = torch.stack([torch.full_like(b, torch.nan), b])
    c = grouped_gemm(a, given.mT.contiguous() if trans_b else given, offsets, trans_b=trans_b)
    _assert_product(c[::2], a[::2], b)

    first = torch.tensor([0, 19, rows], dtype=torch.int32)  # after the last row of the first group
    a, dc = torch.randn_like(a), dc.clone()
    a[19:], dc[19:] = torch.nan, torch.nan
    db = grouped_gemm_wgrad(a, dc, first, trans_b=trans_b)[0]
    _assert_product(db.mT if trans_b else db, a[:19].T, dc[:19])


def _assert_product(found: torch.Tensor, a: torch.Tensor, b: torch.Tensor) -> None:
    exact = a.double() @ b.double()
    terms = a.double().abs() @ b.double().abs()
    eps = torch.finfo(found.dtype).eps
    error = (found.double() - exact).abs()
    assert (error <= eps / 2 * exact.abs() + 16 * torch.finfo(torch.float32).eps * terms).all()
