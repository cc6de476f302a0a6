"""Estimate the size of the terms that add up to a result, even if these terms cancel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from opgen.testing import oracle
from opgen.testing.arrays import mapped

TURNS = 8
STEP = 2.0**-20  # half of f64's digits remain to measure the change


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
