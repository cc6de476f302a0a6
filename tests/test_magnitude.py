"""How far from the reference a result may be whose terms cancel."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

from opgen.testing import magnitude, oracle
from opgen.testing.environment import Case

CASE = Case((("T", "f32"),), ())


def products(arrays: list[Any]) -> dict[str, Any]:
    a, b = arrays
    return {"y": oracle.wide(a) @ b, "places": np.argmax(b, 0), "absent": None}


def test_the_terms_of_a_sum_are_as_large_as_they_are_before_it() -> None:
    a = np.random.default_rng().standard_normal((3, 400)).astype(np.float32)
    b = np.concatenate([a[:1, :200].T, -a[:1, :200].T])
    a[:, 200:] = a[:, :200]  # every sum is 0
    found = magnitude.terms(products, [a, b], seed=0)
    assert [*found] == ["y"]
    wanted = np.sqrt(np.square(a.astype(np.float64)) @ np.square(b))
    ratio = found["y"] / wanted / 2**0.5  # both factors change
    assert np.all((0.3 < ratio) & (ratio < 3))


def test_integers_and_what_does_not_depend_have_no_terms() -> None:
    found = magnitude.terms(
        lambda arrays: {"y": arrays[0] * 1.5, "z": np.array([np.inf, 2.0])},
        [np.arange(3), [np.ones(2), None]],
        seed=0,
    )
    assert not found["y"].any() and not found["z"].any()


def test_an_error_is_held_against_the_terms() -> None:
    a, b = np.full((1, 2), 1e4, "f4"), np.array([[1], [-1]], "f4")
    wanted = np.zeros((1, 1))
    terms = lambda: magnitude.terms(products, [a, b], seed=0)["y"]
    close = partial(oracle.close, wanted=wanted, case=CASE, what="y")
    rounding = np.full((1, 1), 1e4 * oracle.EPS["f32"], "f4")
    close(rounding, terms=terms)
    with pytest.raises(AssertionError, match="off by"):
        close(rounding)
    with pytest.raises(AssertionError, match="off by"):
        close(100 * rounding, terms=terms)
