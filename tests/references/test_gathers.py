"""References that read or write by index equal PyTorch or plain loops."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from array_api_compat import numpy as numpy_namespace
from array_api_compat import torch as torch_namespace

from .calls import (
    call,
    convert,
    differentiable,
    integers,
    normal,
    offsets,
    reference,
    same,
    to_torch,
)


@pytest.mark.parametrize("style", ["half", "interleaved"])
@pytest.mark.parametrize(
    "lead, h, hk, d, r", [((2,), 4, 2, 10, 3), ((), 1, 0, 2, 1), ((0,), 2, 1, 4, 2)]
)
@pytest.mark.parametrize("shared", [True, False])
def test_rotary(style, lead, h, hk, d, r, shared) -> None:
    rotary = reference("rotary")
    t, p = 5, 11
    q, k = normal(*lead, t, h, d), normal(*lead, t, hk, d) if hk else None
    positions = integers(0, p, *(() if shared else lead), t, dtype="int32")
    angles = normal(p, r)
    cos_sin = np.concatenate([np.cos(angles), np.sin(angles)], 1)

    def turned(x):
        """Return the rotated pairs of `rotary`, computed as products of complex numbers."""
        pairs = x[..., : 2 * r].reshape(*x.shape[:-1], *((2, r) if style == "half" else (r, 2)))
        axis = -2 if style == "half" else -1
        a, b = np.moveaxis(pairs, axis, 0)
        z = (a + 1j * b) * np.exp(1j * angles)[positions][..., :, None, :]
        y = np.stack([z.real, z.imag], axis).reshape(*x.shape[:-1], 2 * r)
        return np.concatenate([y, x[..., 2 * r :]], -1)

    given = (q, positions, cos_sin, k)
    results = call(rotary, *given, style=style, inverse=False)
    same(results, convert(turned, (q, k)))
    turn_back = partial(rotary, numpy_namespace, style=style, inverse=True)
    same(turn_back(results[0], positions, cos_sin, results[1]), (q, k))
    differentiable(rotary, list(given), (0,), style=style, inverse=True)


@pytest.mark.parametrize("style", ["half", "interleaved"])
@pytest.mark.parametrize("order", ["HSD", "SHD"])
@pytest.mark.parametrize("shared", [True, False])
def test_apply_rotary(style, order, shared) -> None:
    """`apply_rotary` equals `rotary`, and `inverse` is the transposed map for any angles."""
    t, h, d, r = 5, 3, 8, 3
    x, positions = normal(2, t, h, d), np.arange(t) if shared else integers(0, t, 2, t)
    angles = normal(t, r)
    table = np.concatenate([np.cos(angles), np.sin(angles)], 1)
    repeated = np.concatenate if style == "half" else lambda pair, axis: np.repeat(pair[0], 2, axis)
    cos, sin = (repeated([f(angles)] * 2, axis=-1)[positions] for f in (np.cos, np.sin))
    swapped = (lambda a: a.swapaxes(1, 2)) if order == "HSD" else lambda a: a
    wanted, _ = call(reference("rotary"), x, positions, table, None, style=style, inverse=False)
    apply_rotary = reference("rotary", "apply_rotary")
    attrs = {"order": order, "style": style}
    got, of_k = call(
        apply_rotary, swapped(x), swapped(x[:, :, :1]), cos, sin, **attrs, inverse=False
    )
    same(swapped(got), wanted)
    same(swapped(of_k), wanted[:, :, :1])
    back, _ = apply_rotary(numpy_namespace, got, of_k, cos, sin, **attrs, inverse=True)
    same(swapped(back), x)
    cos, sin, dy = normal(*cos.shape), normal(*sin.shape), normal(*got.shape)
    forth, _ = call(apply_rotary, swapped(x), of_k, cos, sin, **attrs, inverse=False)
    back, _ = call(apply_rotary, dy, of_k, cos, sin, **attrs, inverse=True)
    same(np.sum(forth * dy), np.sum(swapped(x) * back))
    differentiable(apply_rotary, [swapped(x), of_k, cos, sin], (0,), **attrs, inverse=False)


@pytest.mark.parametrize("lengths", [(3, 0, 2), (0,), ()])
@pytest.mark.parametrize("mode", ["sum", "weighted", "mean", "max"])
def test_embedding_bag(lengths, mode) -> None:
    embedding_bag = reference("embedding_bag")
    n, b = sum(lengths), len(lengths)
    weight, indices, bags = normal(9, 3), integers(0, 9, n), offsets(*lengths)
    sample_weights = normal(n) if mode == "weighted" else None
    mode = "sum" if mode == "weighted" else mode
    given = [weight, indices, bags.astype("int64"), sample_weights]
    y, argmax = call(embedding_bag, *given, mode=mode)
    tensors = convert(to_torch, given)
    if b:  # PyTorch does not accept zero bags
        same(
            y,
            F.embedding_bag(
                tensors[1],
                tensors[0],
                tensors[2],
                mode=mode,
                per_sample_weights=tensors[3],
                include_last_offset=True,
            ),
        )
    assert y.shape == (b, 3)
    assert (argmax is None) == (mode != "max")
    for bag in range(b) if mode == "max" else ():
        inside = indices[bags[bag] : bags[bag + 1]]
        for column in range(3):
            best = max(inside, key=lambda row: weight[row, column], default=-1)
            assert argmax[bag, column] == best
    places = (0,) if sample_weights is None else (0, 3)
    differentiable(embedding_bag, given, places, mode=mode)


def test_embedding_bag_gives_the_first_of_equals_the_gradient() -> None:
    weight = torch.ones(3, 1, dtype=torch.float64, requires_grad=True)
    given = (torch.tensor([2, 0, 1]), torch.tensor([0, 3]))
    y, argmax = reference("embedding_bag")(torch_namespace, weight, *given, mode="max")
    y.sum().backward()
    assert argmax.tolist() == [[2]] and weight.grad.ravel().tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    "lengths, k, n", [((2, 0, 3), 4, 5), ((), 2, 1), ((1,), 0, 3), ((0, 0), 3, 2)]
)
@pytest.mark.parametrize("trans_b", [True, False])
def test_grouped_gemm(lengths, k, n, trans_b) -> None:
    grouped_gemm = reference("grouped_gemm")
    a, b = normal(sum(lengths), k), normal(len(lengths), k, n)
    ends = offsets(*lengths)
    parts = [a[i:j] @ each for i, j, each in zip(ends, ends[1:], b)]
    wanted = np.concatenate([np.zeros((0, n)), *parts])
    given = [a, np.ascontiguousarray(b.swapaxes(1, 2)) if trans_b else b, ends]
    same(call(grouped_gemm, *given, trans_b=trans_b), wanted)
    differentiable(grouped_gemm, given, (0, 1), trans_b=trans_b)


@pytest.mark.parametrize("order", ["NHD", "HND"])
@pytest.mark.parametrize("slots", [[7, -1, 0, 3, 7], [], [-1], [11]])
@pytest.mark.parametrize("scaled", [True, False])
def test_paged_cache_write(order, slots, scaled) -> None:
    slots = np.array(slots, "int32")
    k, v = normal(len(slots), 2, 3) * 100, normal(len(slots), 2, 3)
    caches = [normal(3, 4, 2, 3) for _ in range(2)]
    scales = [np.array(0.25), np.array(0.5)] if scaled else [None, None]
    wanted = [cache.copy() for cache in caches]
    for cache, tokens, scale in zip(wanted, (k, v), scales):
        for slot, token in zip(slots, tokens):
            if slot >= 0:
                stored = np.clip(token / scale, -448, 448) if scaled else token
                cache[slot // 4, slot % 4] = stored
    if order == "HND":
        caches, wanted = ([np.swapaxes(c, 1, 2) for c in cs] for cs in (caches, wanted))
    results = call(reference("paged_cache_write"), k, v, *caches, slots, *scales, order=order)
    same(results, tuple(wanted))


@pytest.mark.parametrize("padding", [None, 3, 0, -1, -7])
@pytest.mark.parametrize("shape", [(2, 5), (), (0,)])
def test_embedding(shape, padding) -> None:
    weight, indices = normal(7, 4), integers(0, 7, *shape)
    twin = to_torch(weight).requires_grad_()
    y = F.embedding(to_torch(indices), twin, padding_idx=padding)
    same(call(reference("embedding"), weight, indices, padding_idx=padding), y.detach())
    dy = normal(*shape, 4)
    (wanted,) = torch.autograd.grad(y, twin, to_torch(dy))
    backward = reference("embedding", "embedding_bwd")
    same(call(backward, dy, indices, rows=7, padding_idx=padding), wanted)
