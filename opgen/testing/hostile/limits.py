"""How far the results of a kernel may be from the float64 reference: one rounding of the result, and
k roundings of what it is computed in.

k is 16, or the root of the number of elements of the largest input: so many roundings of a plain sum
add up to, if they are independent (Higham and Mary, A New Approach to Probabilistic Rounding Error
Analysis, 2019).

Narrower than the rule of `tolerance.py`, whose unit is the rounding of the result: a kernel that adds
up bf16 in bf16 is found.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import ml_dtypes
import numpy as np

from opgen.language.dtypes import DTYPES, accum
from opgen.targets.core.runtime.tolerance import EPS, ROUNDED, K, departure, tolerance
from opgen.testing import magnitude, oracle
from opgen.testing.arrays import flat, named
from opgen.testing.environment import Case, numpy_dtype
from opgen.testing.op_under_test import OpUnderTest

NAMES = {numpy_dtype(name): name for name in ROUNDED}


class Limits:
    """Of the results of one call."""

    def __init__(self, subject: OpUnderTest, case: Case, arrays: list[Any]) -> None:
        self.subject, self.case, self.arrays = subject, case, arrays
        self.exact = subject.filled(oracle.results(subject, case, arrays))
        computed = [accum(d) for _, d in case.dtypes if DTYPES[d].floating]
        self.unit = max((ROUNDED[d] for d in computed), default=0.0)
        most = max((a.size for a in flat(arrays) if a is not None), default=1)
        self.k = max(K, most**0.5)
        self._terms = magnitude.of_results(subject, case, arrays)

    def beyond(self, name: str, got: np.ndarray, wanted: np.ndarray) -> str | None:
        """What is wrong with the result of this name, or None."""
        if got.dtype not in NAMES or self.case.rtol or got.shape != wanted.shape:
            try:
                oracle.close(np.array(got, order="C"), wanted, self.case, what=name)
            except AssertionError as error:
                return str(error)
            return None
        wide, wanted = oracle.wide(got), oracle.wide(wanted)
        found = departure(wide, wanted, self._allowed(wanted, got.dtype))
        if found is None:
            return None
        terms = self._terms(name)
        allowed = self._allowed(wanted, got.dtype, terms)
        found = departure(wide, wanted, allowed)
        own = None if found is None else oracle.wide(self._own[name])
        if own is not None and departure(own, wanted, allowed) is not None:
            found = departure(wide, own, self._allowed(own, got.dtype, terms, rounded=2))
        if found is None:
            return None
        return (
            f"{name}: at {found.at} got {found.got}, the reference is {found.expected}: "
            f"off by {found.error:.3g}, allowed is {found.allowed:.3g}"
        )

    def not_nearest(self, name: str, got: np.ndarray, wanted: np.ndarray) -> str | None:
        """What is wrong with a result that is to be rounded once, or None."""
        wide, wanted = oracle.wide(got), oracle.wide(wanted)
        kind = NAMES.get(got.dtype)
        half = None if kind in (None, "f64", "c64", "c128") else _step(wanted, got.dtype) / 2
        found = departure(wide, wanted, half)
        if found is None:
            return None
        return f"{name}: at {found.at} got {found.got}, which is not nearest to {found.expected}"

    @cached_property
    def _own(self) -> dict[str, np.ndarray]:
        """What the reference gives in the dtypes of the call: rounded where its author rounds."""
        given = oracle.results(self.subject, self.case, self.arrays, widen=lambda array: array)
        return dict(named(self.subject.op.results, self.subject.filled(given)))

    def _allowed(
        self, wanted: np.ndarray, dtype: np.dtype, terms: Any = 0.0, *, rounded: int = 1
    ) -> np.ndarray:
        """So many roundings of the result to nearest, and `k` of the accumulator's of the magnitude."""
        name = NAMES[dtype]
        unit = self.unit or ROUNDED[name]
        computed = tolerance(wanted, "f64", (), scale=terms, relative=self.k * (unit + EPS["f64"]))
        assert computed is not None
        if dtype.kind == "c":
            return computed
        allowed: np.ndarray = computed + rounded * _step(wanted, dtype) / 2
        return allowed


def _step(wanted: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """From each number to the next of the dtype."""
    size = np.abs(np.where(np.isfinite(wanted), wanted, 0))
    least = float(ml_dtypes.finfo(dtype).smallest_subnormal)
    step: np.ndarray = np.maximum(np.ldexp(ROUNDED[NAMES[dtype]], np.frexp(size)[1] - 1), least)
    return step
