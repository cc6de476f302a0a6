"""`int8_linear` and `int4_linear` compared with `F.linear` of the dequantized weight, in float64."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from generated.torch import int4_linear, int8_linear

FLOATS = [torch.float32, torch.bfloat16, torch.float16]
# One row, blocks of rows without and with a rest, few and many; more terms than one panel has.
ROWS = [(), (1,), (7,), (2, 5), (33,), (210,)]


def close(found: Tensor, exact: Tensor, terms: Tensor) -> None:
    """Check that the error is within a rounding of the result and 16 f32 roundings of its terms."""
    eps = torch.finfo(found.dtype).eps
    allowed = eps * exact.abs() + 16 * torch.finfo(torch.float32).eps * terms
    assert torch.all((found.double() - exact).abs() <= allowed)


def held(op, x: Tensor, whole: Tensor, *rest: Tensor | None) -> None:
    """Check the op and its gradient against `whole`, which is the weight in float64."""
    x.requires_grad_()
    y = op(x, *rest)
    assert y.dtype == x.dtype
    wide = x.detach().double()
    close(y.detach(), F.linear(wide, whole), F.linear(wide.abs(), whole.abs()))
    dy = torch.randn(y.shape).to(y.dtype)
    (dx,) = torch.autograd.grad(y, x, dy)
    close(dx, dy.double() @ whole, dy.double().abs() @ whole.abs())


@pytest.mark.parametrize("rows", ROWS, ids=str)
@pytest.mark.parametrize("dtype", FLOATS)
def test_int8_linear(dtype: torch.dtype, rows: tuple[int, ...]) -> None:
    weight = torch.randint(-128, 128, (70, 531), dtype=torch.int8)
    scale = torch.rand(70) / 100
    held(int8_linear, torch.randn(*rows, 531).to(dtype), weight * scale.double()[:, None],
         weight, scale)  # fmt: skip


@pytest.mark.parametrize("rows", ROWS, ids=str)
@pytest.mark.parametrize("group, zeros", [(6, True), (32, False), (106, True)])
@pytest.mark.parametrize("dtype", FLOATS)
def test_int4_linear(dtype: torch.dtype, group: int, zeros: bool, rows: tuple[int, ...]) -> None:
    groups = 640 // group
    values = torch.randint(0, 16, (70, groups, group))
    pairs = values.view(70, -1, 2)
    weight = (pairs[..., 0] | pairs[..., 1] << 4).to(torch.uint8)
    scale = (torch.rand(70, groups) / 100).to(dtype)
    zero = (16 * torch.rand(70, groups)).to(dtype) if zeros else None
    shift = zero.double()[..., None] if zero is not None else 8
    whole = ((values - shift) * scale.double()[..., None]).flatten(1)
    held(int4_linear, torch.randn(*rows, groups * group).to(dtype), whole, weight, scale, zero)


def test_scales_have_no_gradient() -> None:
    weight, scale = torch.ones(2, 3, dtype=torch.int8), torch.ones(2, requires_grad=True)
    y = int8_linear(torch.ones(3), weight, scale)
    with pytest.raises(RuntimeError, match="no gradient with respect to scale"):
        torch.autograd.grad(y.sum(), scale)
