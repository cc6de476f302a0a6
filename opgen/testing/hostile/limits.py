"""Limits for the error in the results of a kernel.

The reference runs on numbers with error bounds (`bounded.py`), which gives a limit for each
element. A bound can be useless because terms cancel, or unknown because the reference calls a
function without a known bound. In both cases, the error of the reference itself is measured. The
reference then runs in the dtypes of the call, and in f32 with each input changed by at most one
rounding error. The limit for such an element is `OWN` times the measured error, plus `K` rounding
errors of the element's magnitude.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import ml_dtypes
import numpy as np

from opgen.language.dtypes import DTYPES, accum
from opgen.runtime.debug.tolerance import (
    EPS,
    ROUNDED,
    STEPS,
    Departure,
    K,
    departure,
    errors,
    tolerance,
)
from opgen.testing import oracle
from opgen.testing.arrays import mapped, named
from opgen.testing.bounded import Bounded, Unbounded, astype, exact, is_float, unit
from opgen.testing.bounded_namespace import Namespace
from opgen.testing.environment import Case, numpy_dtype
from opgen.testing.hostile.entry import cpu_kernel
from opgen.testing.op_under_test import OpUnderTest

NAMES = {numpy_dtype(name): name for name in (*ROUNDED, *STEPS)}
RUNS, OWN = 4, 4
# A bound is useful if it is at most `OF_USE` roundings in the dtype of the computation plus
# `STEPS_OF_USE` roundings of the result. The first number is half the digits of f32.
OF_USE, STEPS_OF_USE = 2**12, 2


class Limits:
    """The limits for the results of one call. Without bounds, `unbounded` has the reason."""

    def __init__(self, subject: OpUnderTest, case: Case, arrays: list[Any]) -> None:
        self.subject, self.case, self.arrays = subject, case, arrays
        self._nearest = cpu_kernel(subject).guarantees.exact
        computed = {accum(d) for _, d in case.dtypes if DTYPES[d].floating}
        self.unit = max((ROUNDED[d] for d in computed), default=0.0)
        self.unbounded = ""
        try:
            results = subject.filled(self._bounded(len(computed) > 1))
        except Unbounded as why:
            self.unbounded = str(why)
            results = subject.filled(oracle.results(subject, case, arrays))
        self._found = dict(named(subject.op.results, results))
        self.exact = mapped(lambda y: y.value if isinstance(y, Bounded) else np.asarray(y), results)

    def beyond(self, name: str, got: np.ndarray, wanted: np.ndarray) -> str | None:
        """Describe the first element of result `name` whose error is too large, or return None."""
        if self._nearest:
            return self._not_nearest(name, got, wanted)
        bounded = self.bounded(name, got.dtype)
        known = got.dtype in NAMES and got.shape == wanted.shape and not self.case.rtol
        if not known or (bounded is None and NAMES[got.dtype] in STEPS):
            try:
                oracle.close(np.array(got, order="C"), wanted, self.case, what=name)
            except AssertionError as error:
                return str(error)
            return None
        wide, wanted, left = oracle.wide(got), oracle.wide(wanted), np.ones(got.shape, bool)
        if bounded is not None:
            wanted, left = bounded.value, ~of_use(bounded)
            found = departure(wide, wanted, np.where(left, np.inf, bounded.bound))
            if found is not None:
                return f"{_text(name, found)}; rounding explains at most {found.allowed:.3g}"
        if not left.any():
            return None
        simple = np.where(left, self._rounding(wanted, got.dtype), np.inf)
        if departure(wide, wanted, simple) is None:
            return None
        allowed = np.where(left, self.allowed(name, wanted, got.dtype), np.inf)
        if found := departure(wide, wanted, allowed):
            most = f"rounding explains at most {found.allowed:.3g}"
            return f"{_text(name, found)}; {most}, by what the reference is off in f32"
        return None

    def bounded(self, name: str, dtype: np.dtype) -> Bounded | None:
        """Return the result `name` with its bound. The kernel returns this result as `dtype`."""
        found = self._found[name]
        if not isinstance(found, Bounded) or not is_float(dtype):
            return None
        return astype(found, dtype) if unit(dtype) > unit(found.dtype) else found

    def _bounded(self, single: bool) -> list[Any]:
        if self._nearest:
            raise Unbounded("it is exact")
        attrs = oracle.all_attributes(self.subject, self.case)
        given = mapped(lambda array: exact(array, single=single), self.arrays)
        with np.errstate(all="ignore"):
            return [*self.subject.results_of(self.subject.reference(Namespace(), *given, **attrs))]

    def _not_nearest(self, name: str, got: np.ndarray, wanted: np.ndarray) -> str | None:
        """Describe the first element that is not the exact result rounded once, or return None."""
        wide, wanted = oracle.wide(got), oracle.wide(wanted)
        kind = NAMES.get(got.dtype)
        half = None if kind in (None, "f64", "c64", "c128") else _step(wanted, got.dtype) / 2
        found = departure(wide, wanted, half)
        if found is None:
            return None
        return f"{name}: at {found.at} got {found.got}, which is not nearest to {found.expected}"

    def allowed(self, name: str, wanted: np.ndarray, dtype: np.dtype) -> np.ndarray:
        """Return the limit for elements without a bound.

        The limit is `OWN` times the error of the reference in low precision, plus rounding errors.
        """
        error = np.max([errors(oracle.wide(y[name]), wanted) for y in self._own], axis=0)
        error = np.where(np.isfinite(error), error, 0.0)
        error *= min(1.0, self.unit / EPS["f32"] or 1.0)  # smaller by this factor in f64
        mean = error.mean() if error.size else 0.0
        allowed: np.ndarray = self._rounding(wanted, dtype) + OWN * (error + mean)
        return allowed

    def _rounding(self, wanted: np.ndarray, dtype: np.dtype) -> np.ndarray:
        """Return one rounding error of the result plus `K` rounding errors of the computation."""
        if NAMES[dtype] in STEPS:
            return _step(wanted, dtype)
        unit = self.unit or ROUNDED[NAMES[dtype]]
        computed = tolerance(wanted, "f64", (), relative=K * (unit + EPS["f64"]))
        assert computed is not None, "floats have a tolerance"
        return computed if dtype.kind == "c" else computed + _step(wanted, dtype) / 2

    @cached_property
    def _own(self) -> list[dict[str, np.ndarray]]:
        """Return results of the reference in low precision, which show its rounding error.

        The first run uses the dtypes of the call, but f32 in place of f64. All other runs use f32,
        and change each input by at most one rounding error.
        """

        def run(seed: int) -> dict[str, np.ndarray]:
            rng = np.random.default_rng([self.case.seed, seed])

            def narrow(array: np.ndarray) -> np.ndarray:
                wide = oracle.wide(array)
                if wide.dtype.kind not in "fc" or (not seed and array.dtype.itemsize < 8):
                    return array
                if seed:
                    wide = wide * (1 + EPS["f32"] * rng.uniform(-1, 1, wide.shape))
                return wide.astype(np.complex64 if wide.dtype.kind == "c" else np.float32)

            given = oracle.results(self.subject, self.case, self.arrays, widen=narrow)
            return dict(named(self.subject.op.results, self.subject.filled(given)))

        return [run(seed) for seed in range(RUNS)]


def of_use(found: Bounded) -> np.ndarray:
    """Return a mask of the elements whose bound is small enough to be useful."""
    sizes = np.abs(np.where(np.isfinite(found.value), found.value, 0.0))
    rounding = EPS["f64" if found.dtype == np.float64 else "f32"] / 2
    most = OF_USE * rounding * (sizes + (sizes.mean() if sizes.size else 0.0))
    if found.dtype.itemsize < 4:
        most = most + STEPS_OF_USE * _step(found.value, found.dtype)
    useful: np.ndarray = np.isfinite(found.value) & (found.bound <= most)
    return useful


def _text(name: str, found: Departure) -> str:
    at = f"{name}: at {found.at} got {found.got}, the reference is {found.expected}"
    return f"{at}: off by {found.error:.3g}"


def _step(wanted: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return the distance from each number to the next number of the dtype."""
    size = np.abs(np.where(np.isfinite(wanted), wanted, 0))
    limits = ml_dtypes.finfo(dtype)
    least = float(limits.smallest_subnormal)
    step: np.ndarray = np.maximum(np.ldexp(float(limits.eps), np.frexp(size)[1] - 1), least)
    return step
