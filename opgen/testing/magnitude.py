"""Estimate the size of the terms that add up to a result, even if these terms cancel."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from opgen.testing import oracle
from opgen.testing.arrays import mapped, named
from opgen.testing.environment import Case
from opgen.testing.op_under_test import OpUnderTest

TURNS = 8
STEP = 2.0**-20  # half of f64's digits remain to measure the change


Terms = Callable[[str], np.ndarray]  # from an array's name to the size of its terms


def of_results(subject: OpUnderTest, case: Case, arrays: list[Any]) -> Terms:
    """Return a function that estimates the size of the terms of each floating-point result."""

    def find(moved: list[Any]) -> dict[str, Any]:
        results = subject.filled(oracle.results(subject, case, moved))
        return dict(named(subject.op.results, results))

    return _asked(find, arrays, case)


def of_gradients(
    subject: OpUnderTest, case: Case, arrays: list[Any], cotangents: list[Any]
) -> Terms:
    """Return a function that estimates the size of the terms of each gradient."""
    return _asked(lambda moved: oracle.gradients(subject, case, *moved), [arrays, cotangents], case)


def _asked(find: Callable[[list[Any]], dict[str, Any]], arrays: list[Any], case: Case) -> Terms:
    """Return a function that maps an array's name to its terms' sizes. `terms` runs only once."""
    found = cache(lambda: terms(find, arrays, case.seed))
    return lambda name: found()[name]


def terms(
    find: Callable[[list[Any]], dict[str, Any]], arrays: list[Any], seed: int
) -> dict[str, np.ndarray]:
    """Estimate how much each result changes if all inputs change by a small relative error.

    Each number in `arrays` is multiplied by 1 + STEP or 1 - STEP, at random. The change of each
    result is then divided by STEP. For a sum, the estimate is the root of the sum of the squared
    terms, which is the effect of independent rounding errors. `find` computes the results in f64.
    """
    rng = np.random.default_rng(seed)

    def moved(array: np.ndarray) -> np.ndarray:
        exact = oracle.wide(array)
        if exact.dtype.kind not in "fc":
            return array
        return exact * (1 + STEP * rng.choice((-1.0, 1.0), exact.shape))

    exact = {name: y for name, y in find(mapped(oracle.wide, arrays)).items() if _floats(y)}
    squares = {name: np.zeros(y.shape) for name, y in exact.items()}
    for _ in range(TURNS):
        found = find(mapped(moved, arrays))
        for name, y in exact.items():
            with np.errstate(invalid="ignore"):  # an infinite or NaN result has no size
                change = np.nan_to_num(np.abs(found[name] - y), posinf=0.0) / STEP
            squares[name] += change**2
    return {name: np.sqrt(square / TURNS) for name, square in squares.items()}


def _floats(result: Any) -> bool:
    return result is not None and oracle.wide(result).dtype.kind in "fc"
