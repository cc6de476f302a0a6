"""The kernel's layer normalization agrees with float64, on rows with misleading first elements."""

from __future__ import annotations

import pytest
import torch

from generated.torch import layer_norm


def rows(name: str, columns: int) -> torch.Tensor:
    """Return three rows of the kind `name`."""
    x = torch.randn(3, columns)
    if name == "far from 0":
        x += 1e4
    elif name == "rising":
        x += torch.linspace(-1e3, 1e3, columns)
    elif name == "first ones far off":
        x[:, :64] += 1e4
    elif name == "equal":
        x = x[:, :1].expand(3, columns).contiguous()
    elif name == "infinite":
        x[0, columns // 2] = float("inf")
        x[1, 0] = float("nan")
    return x


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("columns", [1, 2, 63, 129, 70001])
@pytest.mark.parametrize(
    "kind", ["normal", "far from 0", "rising", "first ones far off", "equal", "infinite"]
)
def test_rows(kind: str, columns: int, dtype: torch.dtype) -> None:
    x = rows(kind, columns).to(dtype)
    y, mean, rstd = torch.ops.generated.layer_norm(x, None, None, [columns], 1e-5)
    exact = x.double()
    wanted_mean = exact.mean(1, keepdim=True)
    centred = exact - wanted_mean
    wanted_rstd = (centred.square().mean(1, keepdim=True) + 1e-5).rsqrt()
    wanted = centred * wanted_rstd
    eps = torch.finfo(torch.float32).eps
    close = lambda got, wanted, **by: torch.testing.assert_close(
        got.double(), wanted, equal_nan=True, **by
    )
    if kind != "infinite":
        close(mean, wanted_mean[:, 0], rtol=0, atol=64 * eps * exact.abs().max().item())
    close(rstd, wanted_rstd[:, 0], rtol=32 * eps, atol=0)  # sums of 70001: up to 17 seen
    tolerance = 16 * eps + torch.finfo(dtype).eps
    close(y, wanted, rtol=tolerance, atol=tolerance)
    close(layer_norm(x, normalized_shape=[columns]), y.double(), rtol=0, atol=0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64], ids=str)
@pytest.mark.parametrize("columns", [2, 64, 70])
@pytest.mark.parametrize("count", [1, 2, 70])
def test_the_largest_numbers_first(count: int, columns: int, dtype: torch.dtype) -> None:
    """Rows that start with the largest numbers are normalized right.

    Their sum overflows, but their mean does not.
    """
    x = torch.ones(1, columns, dtype=dtype)
    x[:, :count] = torch.finfo(dtype).max
    y = layer_norm(x, normalized_shape=[columns]).double()
    wanted = torch.zeros(1, columns).double()  # no wider type: infinite variance
    if dtype is not torch.float64:
        wanted = torch.nn.functional.layer_norm(x.double(), [columns])
    torch.testing.assert_close(y, wanted, rtol=1e-2, atol=1e-6)


@pytest.mark.parametrize("columns", [2, 63, 1025])
def test_the_gradient_of_large_rows(columns: int) -> None:
    """The gradient of large rows is right, although `dy * (x - mean)` overflows f32."""
    x = (torch.randn(3, columns) * 1e17).requires_grad_()
    dy = torch.randn(3, columns) * 1e24
    exact = x.detach().double().requires_grad_()
    (got,) = torch.autograd.grad(layer_norm(x, normalized_shape=[columns]), x, dy)
    wanted = torch.nn.functional.layer_norm(exact, [columns])
    (wanted,) = torch.autograd.grad(wanted, exact, dy.double())
    terms = dy.double() / exact.std(1, correction=0, keepdim=True)
    eps = torch.finfo(torch.float32).eps
    tolerance = 64 * eps * terms.abs().max().item()
    torch.testing.assert_close(got.double(), wanted, rtol=0, atol=tolerance)
