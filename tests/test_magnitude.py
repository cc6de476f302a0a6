"""The tolerance of a result in which the terms of a sum cancel."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

from opgen.runtime.debug.tolerance import departure, tolerance
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


def test_an_f16_near_0_may_be_its_neighbour() -> None:
    exact = np.random.default_rng().uniform(-(2.0**-20), 2.0**-20, 100)
    got = exact.astype(np.float16).astype(np.float64)
    allowed = tolerance(exact, "f16", ("f32",))
    assert departure(got, exact, allowed) is None
    assert departure(got + 2 * 2.0**-24, exact, allowed) is not None


def test_what_few_roundings_leave_as_it_is_may_still_be_off() -> None:
    """A result that is insensitive to most roundings may still differ from the reference.

    Here, the difference of a row's two numbers changes only with a few of their roundings.
    """
    from generated._opgen.debug.shadow import REFERENCES
    from generated._opgen.debug.torch import ENGINE, _stored

    from generated import core, torch
    from generated._opgen.debug import expected

    row = {
        "dy": [[0.994347582246644, 0.2508976501541143]],
        "x": [[1.2565178955219527, 1.2980077160867138]],
        "mean": [1.2772628058043334],
        "rstd": [47.654109378831826],
        "weight": [-1.0315050432712012, -0.9638981206069732],
    }
    given = {name: ENGINE.array(np.array(values)) for name, values in row.items()}
    found = dict(zip(("dx", "dweight", "dbias"), torch.layer_norm_bwd(*given.values(), eps=1e-5)))

    def departures() -> list[Any]:
        inputs, results = ({n: _stored(x) for n, x in each.items()} for each in (given, found))
        reference = REFERENCES["layer_norm_bwd"]
        return expected.departures(
            ENGINE, reference, core.layer_norm_bwd, inputs, {"eps": 1e-5}, results
        )

    assert not departures()
    found["dx"] = found["dx"] + 1e-11
    assert departures()[0][0] == "dx"
