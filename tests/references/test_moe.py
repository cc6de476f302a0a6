"""Sorting token rows by expert and sorting them back equals plain loops."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from array_api_compat import numpy as numpy_namespace

from .calls import call, differentiable, integers, normal, reference, same


@pytest.mark.parametrize("t, k, e", [(6, 3, 4), (1, 1, 1), (0, 2, 3), (7, 2, 9)])
def test_moe_permute(t, k, e) -> None:
    x, ids = normal(t, 3), integers(0, e, t, k, dtype="int32")
    moe_permute = reference("moe", "moe_permute")
    rows, offsets, places = call(moe_permute, x, ids, e=e)
    assert offsets.dtype == places.dtype == "int32" and offsets.tolist()[-1] == t * k
    at = 0
    for expert in range(e):
        assert offsets[expert] == at
        for token, slot in np.argwhere(ids == expert):
            assert places[token, slot] == at
            same(rows[at], x[token])
            at += 1
    if t:
        differentiable(partial(moe_permute, e=e), [x, ids], (0,))


@pytest.mark.parametrize("weighted", [True, False])
def test_moe_unpermute(weighted) -> None:
    """`moe_unpermute` also accepts `places` in which some rows occur twice and others never."""
    rows, places = normal(6, 3), integers(0, 6, 3, 2, dtype="int32")
    weights = normal(3, 2) if weighted else None
    moe_unpermute = reference("moe", "moe_unpermute")
    wanted = np.zeros((3, 3))
    for token, slot in np.ndindex(3, 2):
        factor = weights[token, slot] if weighted else 1
        wanted[token] += factor * rows[places[token, slot]]
    same(call(moe_unpermute, rows, places, weights), wanted)
    differentiable(moe_unpermute, [rows, places, weights], (0, 2) if weighted else (0,))


def test_there_and_back() -> None:
    x, ids = normal(5, 3), integers(0, 4, 5, 2)
    rows, _, places = reference("moe", "moe_permute")(numpy_namespace, x, ids, e=4)
    same(reference("moe", "moe_unpermute")(numpy_namespace, rows, places), 2 * x)
