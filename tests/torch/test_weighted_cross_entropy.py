"""`weighted_cross_entropy` and `soft_cross_entropy` compared with `F.cross_entropy`."""

from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from generated.torch import soft_cross_entropy, weighted_cross_entropy

FLOATS = [torch.float32, torch.bfloat16, torch.float16, torch.float64]
# First, classes are adjacent in memory. Then positions are: in one vector, in several, in several
# blocks. Last, each row has one position, so that classes are the last dim.
SHAPES = [(70, 300), (3, 21, 5, 7), (2, 5, 1300), (2, 2100, 20), (4, 9, 1), (0, 4), (2, 4, 0)]


def layouts(shape: tuple[int, ...]) -> list[str]:
    return ["second", "last"] if len(shape) == 2 else ["second"]


def compare(ours: Tensor, exact: Tensor, inputs: list[Tensor], wide: list[Tensor]) -> None:
    """Compare the loss and gradients with those in f64."""
    assert ours.dtype == torch.promote_types(inputs[0].dtype, torch.float32)
    eps = torch.finfo(ours.dtype).eps
    torch.testing.assert_close(ours.double(), exact, rtol=50 * eps, atol=1e-15, equal_nan=True)
    if not exact.numel() or exact.isnan().any():
        return
    dloss = torch.randn(exact.shape, dtype=torch.float64)
    found = torch.autograd.grad(ours, inputs, dloss.to(ours.dtype))
    wanted = torch.autograd.grad(exact, wide, dloss, retain_graph=True)
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == inputs[0].dtype
        own = torch.finfo(one.dtype)
        largest = float(other.abs().max()) if other.numel() else 0.0
        atol = 30 * eps * largest + own.smallest_normal * own.eps
        torch.testing.assert_close(one.double(), other, rtol=2 * own.eps + 50 * eps, atol=atol)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_labels(shape: tuple[int, ...], dtype: torch.dtype) -> None:
    """The loss of labels agrees for each reduction, with weights, smoothing and ignored labels."""
    positions = (shape[0], *shape[2:])
    for number, reduction in enumerate(["none", "mean", "sum", "mean"]):
        logits = (3 * torch.randn(shape)).to(dtype).requires_grad_()
        labels = torch.randint(0, shape[1], positions)
        labels = labels.int() if number == 1 else labels
        if number > 0:
            labels[::2] = -1
        wide = logits.detach().double().requires_grad_()
        acc = torch.promote_types(dtype, torch.float32)
        weight = (torch.rand(shape[1]) + 0.1).to(acc) if number != 1 else None
        smoothing = 0.2 if number > 1 else 0.0
        attrs = {"ignore_index": -1, "label_smoothing": smoothing, "reduction": reduction}
        exact = F.cross_entropy(
            wide, labels.long(), None if weight is None else weight.double(), **attrs
        )
        for classes in layouts(shape):
            ours = weighted_cross_entropy(logits, labels, weight, classes=classes, **attrs)
            compare(ours, exact, [logits], [wide])


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_probabilities(shape: tuple[int, ...], dtype: torch.dtype) -> None:
    """The loss of probabilities and both gradients agree for each reduction.

    The target's memory order differs from that of the logits.
    """
    for number, reduction in enumerate(["none", "mean", "sum"]):
        logits = (3 * torch.randn(shape)).to(dtype).requires_grad_()
        target = torch.softmax(torch.randn(shape), 1).to(dtype)
        target = target.transpose(0, 1).contiguous().transpose(0, 1).requires_grad_()
        wide = [x.detach().double().requires_grad_() for x in (logits, target)]
        acc = torch.promote_types(dtype, torch.float32)
        weight = (torch.rand(shape[1]) + 0.1).to(acc) if number else None
        attrs = {"label_smoothing": 0.2 if number == 2 else 0.0, "reduction": reduction}
        exact = F.cross_entropy(*wide, None if weight is None else weight.double(), **attrs)
        for classes in layouts(shape):
            ours = soft_cross_entropy(logits, target, weight, classes=classes, **attrs)
            compare(ours, exact, [logits, target], wide)


@pytest.mark.parametrize("shape", [(2, 3), (2, 3, 2)], ids=str)
def test_a_class_that_is_nearly_sure(shape: tuple[int, ...]) -> None:
    """The logit gradient of a nearly certain class keeps its digits; p - 1 in f32 would be 0."""
    logits = torch.zeros(shape)
    logits[:, 1] = 30.0
    logits.requires_grad_()
    labels = torch.ones(shape[0], *shape[2:], dtype=torch.int64)
    target = torch.zeros(shape)
    target[:, 1] = 1.0
    rest = 2 * math.exp(-30.0)  # what PyTorch's gradient lacks even in f64
    exact = torch.tensor(-rest / (1 + rest) / labels.numel(), dtype=torch.float64)
    for loss in (
        weighted_cross_entropy(logits, labels, classes="second"),
        soft_cross_entropy(logits, target, classes="second"),
    ):
        found = torch.autograd.grad(loss, logits)[0][:, 1].double()
        torch.testing.assert_close(found, exact.expand_as(found), rtol=1e-5, atol=0)


def test_gradients_of_gradients() -> None:
    logits = torch.randn(2, 3, 2, dtype=torch.float64, requires_grad=True)
    target = torch.softmax(torch.randn(2, 3, 2, dtype=torch.float64), 1).requires_grad_()
    labels, weight = torch.tensor([[0, -100], [2, 1]]), torch.rand(3, dtype=torch.float64) + 0.1
    attrs = {"classes": "second", "label_smoothing": 0.1}
    torch.autograd.gradgradcheck(
        lambda z: weighted_cross_entropy(z, labels, weight, **attrs), [logits]
    )
    torch.autograd.gradgradcheck(
        lambda z, q: soft_cross_entropy(z, q, weight, **attrs), [logits, target]
    )


@pytest.mark.parametrize("dims", [(), (4,)], ids=str)
def test_what_is_ignored_may_hold_anything(dims: tuple[int, ...]) -> None:
    logits = torch.randn(3, 5, *dims)
    logits[1] = float("nan")
    logits.requires_grad_()
    labels = torch.randint(0, 5, (3, *dims))
    labels[1] = -100
    loss = weighted_cross_entropy(logits, labels, classes="second", label_smoothing=0.1)
    assert loss.isfinite()
    loss.backward()
    assert logits.grad.isfinite().all() and (logits.grad[1] == 0).all()
    ignored = torch.full_like(labels, -100)
    assert weighted_cross_entropy(logits, ignored, classes="second").isnan()
    assert weighted_cross_entropy(logits, ignored, classes="second", reduction="sum") == 0


def test_arguments_that_do_not_fit() -> None:
    logits = torch.randn(3, 5, 2)
    labels = torch.tensor([[0, 1], [2, 5], [0, 0]])
    with pytest.raises(ValueError, match="labels: expected 0 <= labels < 5"):
        weighted_cross_entropy(logits, labels, classes="second")
    with pytest.raises(ValueError, match="target"):
        soft_cross_entropy(logits, torch.rand(3, 5, 4), classes="second")
    weight = torch.ones(5, requires_grad=True)
    with pytest.raises((RuntimeError, TypeError, ValueError), match="weight"):
        weighted_cross_entropy(logits, labels.clamp(max=4), weight, classes="second").backward()


@pytest.mark.parametrize("place", ["last", "second"])
def test_weights_of_both_signs(place: str) -> None:
    """Weights of both signs lose no digits, though their sum is far larger than a class's share."""
    logits, target = torch.randn(2, 20001, 1), torch.rand(2, 20001, 1)
    weight = torch.randn(20001)
    if place == "last":
        logits, target = logits[..., 0].contiguous(), target[..., 0].contiguous()

    def gradient(dtype: torch.dtype, loss: object, **attrs: str) -> torch.Tensor:
        z = logits.clone().to(dtype).requires_grad_()
        loss(z, target.to(dtype), weight.to(dtype), **attrs).backward()
        return z.grad.double()

    exact = gradient(torch.float64, F.cross_entropy)
    ours = gradient(torch.float32, soft_cross_entropy, classes=place)
    assert (ours - exact).abs().max() < 8 * 2**-24 * exact.abs().max()
