"""Attention over packed sequences equals PyTorch's attention on each sequence separately."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from . import philox
from .calls import call, differentiable, normal, offsets, reference, same, to_numpy, to_torch

HEADS, GROUP, WIDTH, VALUES = 4, 2, 3, 5
PLAIN = {"scale": 0.6, "causal": False, "window": [-1, -1], "dropout": 0.0}


def wanted(q, k, v, cu_q, cu_k, alibi=None, keep=None, **attrs) -> np.ndarray:
    """Return the output, computed one sequence at a time. keep: `hk*g tq max_k`, dropout's mask."""
    parts = [np.zeros((0, HEADS, VALUES))]
    for b in range(len(cu_q) - 1):
        rows, columns = slice(*cu_q[b : b + 2]), slice(*cu_k[b : b + 2])
        query, key, value = (to_torch(x).transpose(0, 1) for x in (q[rows], k[columns], v[columns]))
        n_q, n_k = query.shape[1], key.shape[1]
        distance = np.arange(n_k) - (np.arange(n_q)[:, None] + n_k - n_q)
        left, right = attrs["window"]
        visible = np.ones((n_q, n_k), bool)
        visible &= (distance >= -left) | (left < 0)
        visible &= (distance <= right) | (right < 0)
        visible &= (distance <= 0) | (not attrs["causal"])
        slopes = (
            np.zeros(HEADS) if alibi is None else np.broadcast_to(alibi, (len(cu_q) - 1, HEADS))[b]
        )
        bias = np.where(visible, -slopes[:, None, None] * np.abs(distance), -np.inf)
        if keep is None:
            out = F.scaled_dot_product_attention(
                query, key, value, to_torch(bias), scale=attrs["scale"], enable_gqa=True
            )
        else:
            key, value = (x.repeat_interleave(GROUP, 0) for x in (key, value))
            scores = attrs["scale"] * query @ key.mT + to_torch(bias)
            spared = to_torch(keep[:, rows, :n_k] / (1 - attrs["dropout"]))
            out = torch.softmax(scores, -1) * spared @ value
        out = to_numpy(out.transpose(0, 1))
        parts.append(np.where(visible.any(1)[:, None, None], np.nan_to_num(out), 0.0))
    return np.concatenate(parts)


def packed(lengths_q, lengths_k) -> list:
    """Return q, k, v, cu_q and cu_k for sequences of these lengths."""
    tq, tk, hk = sum(lengths_q), sum(lengths_k), HEADS // GROUP
    tensors = normal(tq, HEADS, WIDTH), normal(tk, hk, WIDTH), normal(tk, hk, VALUES)
    return [*tensors, offsets(*lengths_q), offsets(*lengths_k)]


def longest(lengths_q, lengths_k) -> dict:
    return {"max_q": max(lengths_q, default=0), "max_k": max(lengths_k, default=0)}


RAGGED = ([3, 0, 1, 4, 2], [5, 2, 1, 2, 0])


@pytest.mark.parametrize(
    "lengths, changes",
    [
        (RAGGED, {}),
        (RAGGED, {"causal": True}),
        (RAGGED, {"window": [1, 0]}),
        (RAGGED, {"window": [-1, 1]}),
        (RAGGED, {"window": [2, 2], "causal": True}),
        (([1], [1]), {"causal": True}),
        (([2], [0]), {}),
        (([0, 0], [3, 0]), {}),
        (([], []), {"causal": True}),
    ],
)
def test_packed(lengths, changes) -> None:
    attention = reference("varlen_attention")
    given, attrs = packed(*lengths), {**PLAIN, **changes}
    expected = wanted(*given, **attrs)
    attrs |= longest(*lengths)
    same(call(attention, *given, **attrs), expected)
    differentiable(attention, given, (0, 1, 2), **attrs)


@pytest.mark.parametrize("shape", [(HEADS,), (len(RAGGED[0]), HEADS)])
def test_alibi(shape) -> None:
    given, alibi = packed(*RAGGED), np.abs(normal(*shape))
    attrs = {**PLAIN, "causal": True}
    expected = wanted(*given, alibi=alibi, **attrs)
    attention = reference("varlen_attention")
    same(call(attention, *given, None, alibi, **attrs, **longest(*RAGGED)), expected)


def test_dropout() -> None:
    given, attrs = packed(*RAGGED), {**PLAIN, "causal": True, "dropout": 0.4}
    sizes = longest(*RAGGED)
    kept = philox.keep(11, 2**33, (HEADS, sum(RAGGED[0]), sizes["max_k"]), 0.4)
    expected = wanted(*given, keep=kept, **attrs)
    given += [None, None, np.array(11), np.array(2**33)]
    attention = reference("varlen_attention")
    same(call(attention, *given, **attrs, **sizes), expected)
    differentiable(attention, given, (0, 1, 2), **attrs, **sizes)


@pytest.mark.parametrize("lengths", [([2, 1, 3], [7, 0, 4]), ([1], [3]), ([], [])])
@pytest.mark.parametrize("causal", [True, False])
def test_paged(lengths, causal) -> None:
    """Attention over a paged cache equals packed attention, even if unused cache rows are NaN."""
    q, k, v, cu_q, cu_k = packed(*lengths)
    b, mb, bs, nb = len(lengths[0]), 3, 3, 11
    table = np.asarray(np.random.default_rng(1).permutation(nb - 1)[: b * mb], "int32")
    table = table.reshape(b, mb)
    caches = [np.full((nb, bs, *x.shape[1:]), np.nan) for x in (k, v)]
    for cache, tokens in zip(caches, (k, v)):
        for each in range(b):
            for j, token in enumerate(tokens[cu_k[each] : cu_k[each + 1]]):
                cache[table[each, j // bs], j % bs] = token
    attrs = {**PLAIN, "causal": causal}
    expected = wanted(q, k, v, cu_q, cu_k, **attrs)
    given = (q, *caches, cu_q, cu_k, table)
    same(call(reference("varlen_attention"), *given, **attrs, **longest(*lengths)), expected)


def test_paged_blocks_may_be_shared() -> None:
    """Two sequences with the same prefix may share a block of the paged cache."""
    q, k, v, *_ = packed([1, 1], [6])
    caches = [x.reshape(3, 2, *x.shape[1:]) for x in (k, v)]
    table = np.array([[0, 1, 1], [0, 2, 0]], "int32")
    order = np.array([0, 1, 2, 3, 0, 1, 4])
    attrs = {**PLAIN, "causal": True}
    expected = wanted(q, k[order], v[order], offsets(1, 1), offsets(4, 3), **attrs)
    given = (q, *caches, offsets(1, 1), offsets(4, 3), table)
    got = call(reference("varlen_attention"), *given, **attrs, max_q=1, max_k=4)
    same(got, expected)
