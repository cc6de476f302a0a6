"""The allowed distance of a result from its reference: k * eps * magnitude.

The rendered tests and shadowed calls use this rule. It needs only NumPy.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

EPS = {"bf16": 2.0**-7, "f16": 2.0**-10, "f32": 2.0**-23, "f64": 2.0**-52}
# A complex number is rounded like its parts.
ROUNDED = {**EPS, "c64": EPS["f32"], "c128": EPS["f64"]}
# The distance between neighbouring numbers near 0, where this distance is constant.
LEAST = {"f16": 2.0**-24, "bf16": 2.0**-133, "f32": 2.0**-149}
# The largest finite number of each dtype. A value that rounds to more is infinite.
LARGEST = {"f16": 65504.0, "bf16": 2.0**128 - 2.0**120, "f32": 2.0**128 - 2.0**104}
# The distances between neighbouring numbers of 8-bit floats, which exceed any error of a kernel:
# the largest relative distance, and the smallest absolute distance.
STEPS = {"f8e4m3": (2.0**-3, 2.0**-9), "f8e5m2": (2.0**-2, 2.0**-16)}
K = 16  # the factor k in the formula above


class Departure(NamedTuple):
    """The element whose error exceeds its tolerance most."""

    at: tuple[int, ...]
    expected: Any
    got: Any
    error: float
    allowed: float

    @property
    def is_nan(self) -> bool:
        """Return whether the result is not finite although the reference is finite."""
        return bool(np.isfinite(self.expected)) and not np.isfinite(self.got)


def epsilon(dtype: str, computed: Iterable[str]) -> float:
    """Return the largest machine epsilon among `dtype`, the dtype of a result, and the dtypes in
    `computed`.
    """
    return max(ROUNDED[name] for name in (dtype, *computed))


def tolerance(
    wanted: np.ndarray,
    dtype: str,
    computed: Iterable[str],
    *,
    k: float = K,
    scale: float | np.ndarray = 0.0,
    relative: float | None = None,
) -> np.ndarray | None:
    """Return the allowed distance of each element from `wanted`, or None if they must be equal.

    The magnitude of an element is its absolute value, plus the mean absolute value of all elements,
    plus `scale`. If a result is a sum whose terms may cancel, `scale` is the magnitude of the
    terms. `computed` lists the dtypes of the computation. `relative` replaces k * eps. An 8-bit
    float may always be the one next to the expected value. The same holds for an f16 near 0, where
    f16 has fewer digits.
    """
    if dtype not in ROUNDED and dtype not in STEPS:
        return None
    finite = np.isfinite(wanted)
    size = np.abs(np.where(finite, wanted, 0.0))
    if dtype in STEPS:
        step, least = STEPS[dtype]
        return np.maximum(step * size, least)
    mean = size.sum() / max(finite.sum(), 1)
    rounding = epsilon(dtype, computed) + EPS["f64"]  # the reference rounds, too
    allowed: np.ndarray = (relative or k * rounding) * (size + mean + scale)
    return allowed + LEAST.get(dtype, 0.0)


def overflows(
    got: np.ndarray, wanted: np.ndarray, allowed: np.ndarray | None, dtype: str
) -> np.ndarray:
    """Return a mask of the elements of `got` that are correctly infinite.

    The expected value of such an element, `wanted`, is too large for `dtype`.
    """
    if allowed is None or dtype not in LARGEST:
        return np.zeros(got.shape, bool)
    with np.errstate(invalid="ignore"):
        beyond = np.abs(wanted) + allowed >= LARGEST[dtype]
        found: np.ndarray = np.isinf(got) & (np.sign(got) == np.sign(wanted)) & beyond
    return found


def errors(got: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return the distance between `got` and `wanted` for each element.

    Two NaNs or equal infinities have distance 0. Other elements that are not finite have an
    infinite distance.
    """
    same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
    with np.errstate(invalid="ignore"):
        error = np.where(same, 0.0, np.abs(got - wanted))
    return np.where(np.isnan(error), np.inf, error)


def departure(got: np.ndarray, wanted: np.ndarray, allowed: np.ndarray | None) -> Departure | None:
    """Return the element of `got` whose error exceeds the `allowed` error most; None if no error
    exceeds it.
    """
    if not wanted.size:
        return None
    if allowed is None:
        error = (got != wanted).astype(float)
        allowed = np.zeros(error.shape)
    else:
        error = errors(got, wanted)
    beyond = ~np.asarray(error <= allowed)
    if not beyond.any():
        return None
    with np.errstate(invalid="ignore"):
        worst = np.unravel_index(np.argmax(np.where(beyond, error - allowed, -np.inf)), error.shape)
    index = tuple(map(int, worst))
    return Departure(index, wanted[index], got[index], float(error[index]), float(allowed[index]))
