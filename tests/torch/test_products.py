"""How the products of matrices are summed, which `opgen/matmul.h` makes for all ops."""

from __future__ import annotations

import torch

from generated.torch import grouped_gemm


def test_long_sums_are_made_of_short_ones() -> None:
    """Beside 2^24 each 1 would be lost; the sum of 128 of them is not."""
    a = torch.ones(1, 256)
    a[0, 0] = 2**24
    offsets = torch.tensor([0, 1], dtype=torch.int32)
    c = grouped_gemm(a, torch.ones(1, 256, 48), offsets)
    assert (c == 2**24 + 128).all()
