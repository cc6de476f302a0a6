"""`padding_idx` of `embedding` behaves like that of torch.nn.functional.embedding."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F

from generated.torch import embedding, embedding_bwd, embedding_bwd_bwd

FLOATS = [torch.float32, torch.bfloat16, torch.float16, torch.float64]
PADDINGS = [None, 0, 3, -1, -7]


def native(weight: torch.Tensor, indices: torch.Tensor, padding: int | None) -> torch.Tensor:
    return F.embedding(indices, weight, padding_idx=padding)


def ours(weight: torch.Tensor, indices: torch.Tensor, padding: int | None) -> torch.Tensor:
    return embedding(weight, indices, padding_idx=padding)


def three_orders(function: Callable, padding, indices, *floats) -> list[torch.Tensor]:
    """Return the result and its derivatives of first, second and third order."""
    weight, dy, ddweight, dddy = (x.clone().requires_grad_() for x in floats)
    y = function(weight, indices, padding)
    (dweight,) = torch.autograd.grad(y, weight, dy, create_graph=True)
    (ddy,) = torch.autograd.grad(dweight, dy, ddweight, create_graph=True)
    (third,) = torch.autograd.grad(ddy, ddweight, dddy)
    return [y, dweight, ddy, third]


@pytest.mark.parametrize("padding", PADDINGS)
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("kind", [torch.int64, torch.int32])
@pytest.mark.parametrize(
    ("shape", "columns"),
    [((), 4), ((0,), 4), ((9,), 33), ((3, 5, 7), 1), ((2, 0, 3), 5), ((4,), 0)],
)
def test_padding_is_as_in_pytorch(padding, dtype, kind, shape, columns) -> None:
    """The padding row is looked up, but gets no gradient and passes none in second derivatives."""
    y, table = (*shape, columns), (7, columns)
    weight, *given = (torch.randn(size).to(dtype) for size in (table, y, table, y))
    indices = torch.randint(7, shape, dtype=kind)
    found = three_orders(ours, padding, indices, weight, *given)
    # PyTorch's own second order fails if there is no index.
    peer = native if 0 not in y else lambda weight, indices, _: weight[indices]
    exact = (x.double() for x in (weight, *given))
    wanted = three_orders(peer, padding, indices, *exact)
    for n, (mine, true) in enumerate(zip(found, wanted, strict=True)):
        assert mine.dtype == dtype
        if n in (0, 2):  # nothing is summed
            torch.testing.assert_close(mine.double(), true, rtol=0, atol=0)
        else:
            near = torch.finfo(dtype).eps
            torch.testing.assert_close(mine.double(), true, rtol=near, atol=16 * near)


@pytest.mark.parametrize("padding", PADDINGS)
def test_padding_under_transforms(padding) -> None:
    tables, indices = torch.randn(3, 7, 5), torch.randint(7, (3, 2, 4))
    gradient = lambda f: torch.func.grad(lambda w, i: f(w, i, padding).square().sum())
    for dims in ((0, 0), (0, None), (None, 0)):
        batch = [x if d == 0 else x[0] for x, d in zip((tables, indices), dims)]
        for make in (lambda f: lambda w, i: f(w, i, padding), gradient):
            found, wanted = (torch.vmap(make(f), dims)(*batch) for f in (ours, native))
            torch.testing.assert_close(found, wanted)
    compiled = torch.compile(ours, fullgraph=True, backend="aot_eager")
    weight = tables[0].clone().requires_grad_()
    (found,) = torch.autograd.grad(compiled(weight, indices, padding).square().sum(), weight)
    torch.testing.assert_close(found, gradient(native)(tables[0], indices))


@pytest.mark.parametrize("padding", [7, -8, 2**40])
@pytest.mark.parametrize("rows", [7, 0])
def test_padding_that_is_no_row(padding: int, rows: int) -> None:
    """A padding index outside the table is refused, as in PyTorch (which raises AssertionError)."""
    weight, none = torch.randn(rows, 4), torch.empty(0, dtype=torch.int64)
    with pytest.raises(AssertionError):
        native(weight, none, padding)
    for call in (ours, torch.compile(ours, fullgraph=True, backend="aot_eager")):
        with pytest.raises(Exception, match="requires a padding_idx among the rows"):
            call(weight, none, padding)
    with pytest.raises(ValueError, match="requires a padding_idx among the rows"):
        ours(weight, none, padding)


@pytest.mark.parametrize("padding", [-1, 6])
def test_padding_is_no_other_name_of_an_index(padding: int) -> None:
    """An index of -1 is out of range for any `padding_idx`, in derivatives of all orders."""
    bad, dy, weight = torch.tensor([0, -1]), torch.ones(2, 4), torch.ones(7, 4)
    words = r"indices: expected 0 <= indices < 7, got -1 at \[1\]$"
    for call in (
        lambda: embedding(weight, bad, padding_idx=padding),
        lambda: embedding_bwd(dy, bad, rows=7, padding_idx=padding),
        lambda: embedding_bwd_bwd(weight, bad, padding_idx=padding),
    ):
        with pytest.raises(ValueError, match=words):
            call()
