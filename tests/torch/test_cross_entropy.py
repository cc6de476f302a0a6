"""The kernel's cross-entropy agrees with PyTorch's own in float64, on extreme rows."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from generated.torch import cross_entropy

INF = float("inf")


def rows(name: str, columns: int) -> torch.Tensor:
    """Return four rows of logits of the kind `name`."""
    z = torch.randn(4, columns)
    if name == "rising":  # larger than exp can hold, so that earlier sums become 0
        z += torch.linspace(-300, 300, columns)
    elif name == "falling":
        z -= torch.linspace(-300, 300, columns)
    elif name == "masked":
        z[:, : columns // 2] = -INF
    elif name == "steps":
        z += 15.0 * (torch.arange(columns) // 1000)
    elif name == "infinite":
        z[1, columns // 2] = INF
        z[2, columns // 3] = float("nan")
        z[3] = -INF
    return z


@pytest.mark.parametrize("kind", ["normal", "rising", "falling", "masked", "steps", "infinite"])
@pytest.mark.parametrize("columns", [3, 2048, 9001])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_rows(kind: str, columns: int, smoothing: float) -> None:
    z = rows(kind, columns).requires_grad_()
    labels = torch.tensor([columns - 1, 2, columns // 2 + 1, -100])
    options = {"reduction": "none", "label_smoothing": smoothing}
    loss = cross_entropy(z, labels, **options)
    exact = z.detach().double().requires_grad_()
    wanted = F.cross_entropy(exact, labels, **options)
    scale = z.detach().nan_to_num(posinf=0, neginf=0).abs().max().item()
    eps = 16 * torch.finfo(torch.float32).eps
    torch.testing.assert_close(loss.double(), wanted, rtol=eps, atol=eps * scale, equal_nan=True)
    if kind in ("masked", "infinite") and smoothing:
        return  # the mean is not finite and has no gradient
    assert loss[3] == 0  # this label is ignored
    finite = wanted.isfinite() & (labels != -100)
    (dz,) = torch.autograd.grad(loss[wanted.isfinite()].sum(), z)
    (dwanted,) = torch.autograd.grad(wanted[finite].sum(), exact)
    assert not dz[3].any()
    torch.testing.assert_close(
        dz[finite].double(), dwanted[finite], rtol=eps * max(scale, 1), atol=eps * max(scale, 1)
    )


@pytest.mark.parametrize(
    "row, label, wanted",
    [
        ([3e38, -3e38, 3e38], 0, 0.6931472),
        ([3e38, -3e38, 3e38], 1, INF),
        ([-3e38, -3e38], 1, 0.6931472),
        ([0.0, -INF, 0.0], 2, 0.6931472),
        ([0.0, -INF], 1, INF),
        ([-INF, -INF], 0, float("nan")),
        ([INF, 0.0], 1, float("nan")),
        ([40.0, 0.0], 0, 4.2483543e-18),
    ],
)
def test_one_row(row: list[float], label: int, wanted: float) -> None:
    """The loss of one row equals PyTorch's; the last loss is exact, and PyTorch's is not."""
    z, labels = torch.tensor([row]), torch.tensor([label])
    torch.testing.assert_close(
        cross_entropy(z, labels), torch.tensor(wanted), equal_nan=True, atol=0, rtol=1e-6
    )


def test_the_largest_logit_more_than_once() -> None:
    z = torch.randn(3, 5000)
    z[:, 7::1000] = 9.0
    z.requires_grad_()
    labels, exact = torch.tensor([7, 8, 1007]), z.detach().double().requires_grad_()
    loss = cross_entropy(z, labels, reduction="none")
    wanted = F.cross_entropy(exact, labels, reduction="none")
    torch.testing.assert_close(loss.double(), wanted, rtol=1e-6, atol=0)
    (dz,), (dwanted,) = (torch.autograd.grad(y.sum(), x) for y, x in ((loss, z), (wanted, exact)))
    torch.testing.assert_close(dz.double(), dwanted, rtol=1e-6, atol=1e-12)


def test_nothing_to_learn_from() -> None:
    z, labels = torch.randn(3, 5), torch.full((3,), -100)
    assert cross_entropy(z, labels).isnan()
    assert cross_entropy(z, labels, reduction="sum") == 0


@pytest.mark.parametrize("ignored", [2**32, 2**32 + 1, -(2**40), 1])
def test_what_is_ignored_need_not_fit_the_labels(ignored: int) -> None:
    z, labels = torch.randn(4, 5, requires_grad=True), torch.tensor([0, 1, 2, 3])
    for kind in (torch.int32, torch.int64):
        loss = cross_entropy(z, labels.to(kind), ignore_index=ignored)
        wanted = F.cross_entropy(z, labels, ignore_index=ignored)
        torch.testing.assert_close(loss, wanted)
        torch.testing.assert_close(*(torch.autograd.grad(y, z)[0] for y in (loss, wanted)))


def test_the_number_of_threads_changes_no_bit() -> None:
    z, labels = torch.randn(1000, 333), torch.randint(0, 333, (1000,))
    found, before = [], torch.get_num_threads()
    for threads in (1, 2, 5):
        torch.set_num_threads(threads)
        try:
            found.append(cross_entropy(z, labels, label_smoothing=0.1))
        finally:
            torch.set_num_threads(before)
    assert torch.equal(found[0], found[1]) and torch.equal(found[0], found[2])
