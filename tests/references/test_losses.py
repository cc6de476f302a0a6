"""Cross-entropy and expert routing equal PyTorch's functions."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from .calls import call, differentiable, integers, normal, reference, same, to_torch

KINDS = ["weighted", "soft"]


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("batch, smoothing", [((5,), 0.0), ((2, 3), 0.1), ((), 1.0), ((0,), 0.1)])
@pytest.mark.filterwarnings("ignore:invalid value")
def test_cross_entropy(reduction, batch, smoothing) -> None:
    cross_entropy = reference("cross_entropy")
    logits, labels = normal(*batch, 7) * 9, integers(0, 7, *batch)
    if len(batch) and batch[0]:
        labels[0] = -3
    attrs = {"ignore_index": -3, "label_smoothing": smoothing, "reduction": reduction}
    rows, targets = to_torch(logits).reshape(-1, 7), to_torch(labels).reshape(-1)
    wanted = F.cross_entropy(rows, targets, **attrs)
    shape = batch if reduction == "none" else ()
    same(call(cross_entropy, logits, labels, **attrs), wanted.reshape(shape))
    if batch != (0,):
        differentiable(cross_entropy, [logits, labels], (0,), **attrs)


@pytest.mark.filterwarnings("ignore:invalid value")
def test_cross_entropy_of_ignored_rows() -> None:
    cross_entropy = reference("cross_entropy")
    attrs = {"ignore_index": -1, "label_smoothing": 0.0}
    logits, labels = normal(2, 3), np.array([-1, -1])
    same(call(cross_entropy, logits, labels, reduction="mean", **attrs), np.float64("nan"))
    same(call(cross_entropy, logits, labels, reduction="sum", **attrs), np.float64(0))
    differentiable(cross_entropy, [logits, labels], (0,), reduction="sum", **attrs)


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("batch", [(5,), (2, 3), ()])
def test_linear_cross_entropy(reduction, batch) -> None:
    """`linear_cross_entropy` equals PyTorch's `cross_entropy` of the matrix product."""
    linear_cross_entropy = reference("linear_cross_entropy")
    hidden, weight, labels = normal(*batch, 4), normal(7, 4), integers(0, 7, *batch)
    if batch:
        labels[0] = -3
    attrs = {"ignore_index": -3, "reduction": reduction}
    logits = F.linear(to_torch(hidden), to_torch(weight)).reshape(-1, 7)
    wanted = F.cross_entropy(logits, to_torch(labels).reshape(-1), **attrs)
    shape = batch if reduction == "none" else ()
    same(call(linear_cross_entropy, hidden, weight, labels, **attrs), wanted.reshape(shape))
    differentiable(linear_cross_entropy, [hidden, weight, labels], (0, 1), **attrs)


def test_terms_of_classes_whose_logits_are_minus_infinity() -> None:
    terms = reference("linear_cross_entropy", "linear_cross_entropy_terms")
    hidden, weight = np.ones((2, 3), np.float32), np.full((4, 3), -np.inf, np.float32)
    found = call(terms, hidden, weight, np.array([1, -1]), np.int64(4), ignore_index=-1, c=8)
    smallest = np.full(2, np.finfo(np.float32).min)
    same(found, (smallest, np.zeros(2, np.float32), np.zeros(2, np.float32)))


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("shape, smoothing", [((5, 7), 0.0), ((2, 7, 3), 0.1), ((0, 7), 0.1)])
@pytest.mark.filterwarnings("ignore:invalid value")
def test_weighted_cross_entropy(reduction, shape, smoothing) -> None:
    """The losses of class indices and of probabilities equal PyTorch's weighted cross-entropy."""
    hard, soft = (reference("weighted_cross_entropy", f"{kind}_cross_entropy") for kind in KINDS)
    logits, labels = normal(*shape) * 9, integers(0, 7, shape[0], *shape[2:])
    weight, target = np.abs(normal(7)) + 0.1, np.abs(normal(*shape))
    attrs = {"label_smoothing": smoothing, "reduction": reduction}
    z, w = to_torch(logits), to_torch(weight)
    wanted = F.cross_entropy(z, to_torch(target), w, **attrs)
    same(call(soft, logits, target, weight, classes="second", **attrs), wanted)
    if shape[0]:
        labels[0] = -3
    wanted = F.cross_entropy(z, to_torch(labels), w, ignore_index=-3, **attrs)
    attrs["classes"] = "second"
    same(call(hard, logits, labels, weight, ignore_index=-3, **attrs), wanted)
    if shape[0]:
        differentiable(hard, [logits, labels, weight], (0,), ignore_index=-3, **attrs)
        differentiable(soft, [logits, target, weight], (0, 1), **attrs)


@pytest.mark.parametrize("shape, k", [((4, 9), 3), ((1,), 1), ((0, 4), 2), ((2, 3, 5), 5)])
@pytest.mark.parametrize("renormalize", [True, False])
def test_topk_softmax(shape, k, renormalize) -> None:
    topk_softmax = reference("topk_softmax")
    logits = normal(*shape)
    attrs = {"k": k, "renormalize": renormalize}
    weights, ids = torch.softmax(to_torch(logits), -1).topk(k, -1)
    if renormalize:
        weights = weights / weights.sum(-1, keepdim=True)
    same(call(topk_softmax, logits, **attrs), (weights, ids))
    differentiable(topk_softmax, [logits], (0,), **attrs)


def test_topk_softmax_takes_equals_in_order() -> None:
    logits = integers(0, 3, 6, 11).astype("float64")
    _, ids = call(reference("topk_softmax"), logits, k=7, renormalize=False)
    for row, chosen in zip(logits, ids):
        assert chosen.tolist() == sorted(range(11), key=lambda i: (-row[i], i))[:7]
