"""Numbers with an error bound: the largest error that a kernel with the same formula may make.

A reference accepts arrays of these numbers. The values are in f64. Each operation propagates the
bounds of its arguments and adds its own rounding error, in the dtype of the computation. This error
is at most `ROUNDINGS` times the largest error of rounding the result once. One rounding is not
enough, because kernels may compute `x / s` as `x * (1 / s)`. For a function such as exp, the factor
is `FUNCTION`. A sum of n terms adds `gamma(n, u)` times the sum of the terms' absolute values. A
reference may round a number to fewer digits. The bound then becomes 0 if all numbers within the
bound round to the same number. Source: Higham, Accuracy and Stability of Numerical Algorithms,
2002, chapters 2 to 4.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, reduce
from math import sqrt
from typing import Any

import ml_dtypes
import numpy as np

REFERENCE = 2.0**-53  # one rounding in f64, the dtype of references
ROUNDINGS, FUNCTION = 2, 4
# A factor of sqrt(n) * u in `gamma`. For n independent roundings of at most u with mean 0, a sum
# exceeds it with a probability below 2 exp(-4**2 / 2): one of 1,400 sums, for any distribution. For
# uniform roundings it is one of 10**11.
DEVIATIONS = 4


class Unbounded(Exception):
    """Error for an operation whose error bound is unknown."""


def gamma(n: int, u: float) -> float:
    """Bound the error of a sum of n terms, relative to the sum of the terms' absolute values.

    Each of the n - 1 roundings has a relative error of at most `u`. The bound is
    (n - 1) u / (1 - (n - 1) u), or `DEVIATIONS` sqrt(n - 1) u if that is less. Source: Higham and
    Mary, A New Approach to Probabilistic Rounding Error Analysis, 2019.
    """
    count = max(n - 1, 0)
    return min(count, DEVIATIONS * sqrt(count)) * u / (1 - min(count * u, 0.5))


@cache
def unit(dtype: Any) -> float:
    """Return the largest relative change that one rounding to `dtype` can make."""
    return float(ml_dtypes.finfo(dtype).eps) / 2


@cache
def _range(dtype: Any) -> tuple[float, float]:
    """Return the smallest and the largest positive number of `dtype`."""
    limits = ml_dtypes.finfo(dtype)
    return float(limits.smallest_subnormal), float(limits.max)


def is_float(dtype: Any) -> bool:
    """Return whether a dtype is a real float, including the dtypes of ml_dtypes."""
    return np.dtype(dtype).kind not in "biucSUMmO"


class Bounded:
    """An array `value` in f64. A kernel that computes in `dtype` is off by at most `bound`."""

    __array_ufunc__ = None  # makes NumPy leave operators to this class
    __hash__ = None  # type: ignore[assignment]  # as an array has none
    device = "cpu"

    def __init__(self, value: Any, bound: Any, dtype: Any) -> None:
        self.value, self.dtype = np.asarray(value, np.float64), np.dtype(dtype)
        self.bound = np.broadcast_to(np.asarray(bound, np.float64), self.value.shape)

    def __getattr__(self, name: str) -> Any:
        if name in ("shape", "ndim", "size"):
            return getattr(self.value, name)
        raise Unbounded(f".{name}")

    @property
    def sure(self) -> bool:
        """Return whether all bounds are 0. The check is fast if no bound has ever been set."""
        bound = self.bound if any(self.bound.strides) else self.bound[(slice(1),) * self.bound.ndim]
        return not bound.any()

    def __getitem__(self, place: Any) -> Bounded:
        for part in place if isinstance(place, tuple) else (place,):
            if isinstance(part, Bounded | Doubtful):
                raise Unbounded("an index that is rounded")
        return Bounded(self.value[place], self.bound[place], self.dtype)

    def __float__(self) -> float:
        if not self.sure:
            raise Unbounded("float() of what is rounded")
        return float(self.value)

    def __bool__(self) -> bool:
        return bool(float(self))

    def __int__(self) -> int:
        return int(float(self))

    def __len__(self) -> int:
        return len(self.value)

    def __neg__(self) -> Bounded:
        return Bounded(-self.value, self.bound, self.dtype)

    def __abs__(self) -> Bounded:
        return Bounded(np.abs(self.value), self.bound, self.dtype)

    def __add__(self, other: Any) -> Bounded:
        a, b = both(self, other)
        return _rounded(a.value + b.value, a.bound + b.bound, a, b)

    def __sub__(self, other: Any) -> Bounded:
        a, b = both(self, other)
        return a + -b

    def __rsub__(self, other: Any) -> Bounded:
        a, b = both(other, self)
        return a - b

    def __mul__(self, other: Any) -> Bounded:
        a, b = both(self, other)
        bound = np.abs(a.value) * b.bound + (np.abs(b.value) + b.bound) * a.bound
        return _rounded(a.value * b.value, bound, a, b)

    def __truediv__(self, other: Any) -> Bounded:
        a, b = both(self, other)
        value, least = a.value / b.value, np.abs(b.value) - b.bound
        bound = (a.bound + np.abs(value) * b.bound) / least
        return _rounded(value, np.where(least > 0, bound, np.inf), a, b)

    def __rtruediv__(self, other: Any) -> Bounded:
        a, b = both(other, self)
        return a / b

    def __pow__(self, power: Any) -> Bounded:
        if not isinstance(power, int) or not 1 <= power <= 4:
            raise Unbounded("**")
        found: Bounded = reduce(Bounded.__mul__, [self] * power)
        return found

    def __matmul__(self, other: Any) -> Bounded:
        return matmul(self, other)

    def __rmatmul__(self, other: Any) -> Bounded:
        return matmul(other, self)

    __radd__, __rmul__ = __add__, __mul__

    def __pos__(self) -> Bounded:
        return self

    def _unknown(self, *_: Any) -> Any:
        raise Unbounded("an operator")

    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __rpow__ = __divmod__ = _unknown

    def _compared(self, compare: Callable[[Any, Any], Any], other: Any) -> Any:
        a, b = both(self, other)
        reach = a.bound + b.bound
        doubt = (reach > 0) & ~(np.abs(a.value - b.value) > reach)
        return decided(compare(a.value, b.value), doubt)

    def __lt__(self, other: Any) -> Any:
        return self._compared(np.less, other)

    def __le__(self, other: Any) -> Any:
        return self._compared(np.less_equal, other)

    def __gt__(self, other: Any) -> Any:
        return self._compared(np.greater, other)

    def __ge__(self, other: Any) -> Any:
        return self._compared(np.greater_equal, other)

    def __eq__(self, other: object) -> Any:
        return self._compared(np.equal, other)

    def __ne__(self, other: object) -> Any:
        return self._compared(np.not_equal, other)


class Doubtful:
    """A boolean array. Where `doubt` is set, rounding may give a kernel the other value."""

    __array_ufunc__ = None

    def __init__(self, value: Any, doubt: Any) -> None:
        self.value, self.doubt = np.asarray(value), np.asarray(doubt)

    def __getattr__(self, name: str) -> Any:
        if name in ("shape", "ndim", "size"):
            return getattr(self.value, name)
        raise Unbounded(f".{name} of a comparison of what is rounded")

    def __getitem__(self, place: Any) -> Any:
        return decided(self.value[place], self.doubt[place])

    def __bool__(self) -> bool:
        raise Unbounded("a branch on what is rounded")

    def __invert__(self) -> Any:
        return Doubtful(~self.value, self.doubt)

    def __and__(self, other: Any) -> Any:
        value, doubt = _parts(other)
        may, may_too = self.value | self.doubt, value | doubt
        return decided(self.value & value, (self.doubt | doubt) & may & may_too)

    def __or__(self, other: Any) -> Any:
        return ~(~self & ~Doubtful(*_parts(other)))

    __rand__, __ror__ = __and__, __or__


def decided(value: Any, doubt: Any) -> Any:
    """Return `value` as a `Doubtful`, or unchanged if no element of `doubt` is set."""
    return Doubtful(value, doubt) if np.any(doubt) else value


def _parts(condition: Any) -> tuple[Any, Any]:
    if isinstance(condition, Doubtful):
        return condition.value, condition.doubt
    return condition, np.zeros(np.shape(condition), bool)


def exact(array: Any, *, single: bool = False) -> Any:
    """Return a floating-point array as a `Bounded` with bound 0. Other arrays are unchanged.

    With `single`, f64 arrays get the error of a conversion to f32, in which kernels may compute.
    """
    if array.dtype.kind == "c":
        raise Unbounded("complex numbers")
    if not is_float(array.dtype):
        return array
    value = array.astype(np.float64)
    if single and array.dtype == np.float64:
        return Bounded(value, np.abs(value) * unit(np.float32), np.float32)
    return Bounded(value, 0.0, array.dtype)


def both(a: Any, b: Any) -> tuple[Bounded, Bounded]:
    """Return two operands as `Bounded`. One of them may be a number or an array of integers."""
    if isinstance(a, Bounded) and isinstance(b, Bounded):
        return a, b
    if isinstance(a, Bounded):
        return a, _beside(b, a.dtype)
    return _beside(a, b.dtype), b


def _beside(x: Any, dtype: Any) -> Bounded:
    """Return `x` as a `Bounded`. The bound of a Python float is its rounding error in `dtype`."""
    value = np.asarray(x, np.float64)
    off = np.abs(value.astype(dtype).astype(np.float64) - value)
    return Bounded(
        value, np.where(np.isfinite(off), off, 0.0) if isinstance(x, float) else 0.0, dtype
    )


def common(*of: Any) -> Any:
    """Return the dtype in which an operation on these operands computes."""
    if all(x.dtype == of[0].dtype for x in of):
        return of[0].dtype
    try:
        return np.result_type(*(x.dtype if isinstance(x, Bounded) else x for x in of))
    except TypeError as error:  # ml_dtypes defines no common dtype for f16 and bf16
        raise Unbounded("dtypes of 16 bits together") from error


def _rounded(value: Any, bound: Any, *of: Bounded, times: float = ROUNDINGS) -> Bounded:
    """Return `value` with `bound` plus the operation's rounding error, or infinity on overflow."""
    dtype = common(*of)
    least, most = _range(dtype)
    size = np.abs(value) + bound
    own = (times * unit(dtype) + REFERENCE) * size + least
    own = np.where((bound == 0) & (value == 0), 0, own)
    return Bounded(value, np.where(size <= most, bound + own, np.inf), dtype)


def _gap(a: Any, b: Any) -> Any:
    gap = np.where(a == b, 0.0, np.abs(a - b))
    return np.where(np.isnan(gap), np.inf, gap)


def monotone(function: Callable[..., Any], *of: Bounded) -> tuple[Any, Any]:
    """Return a function's value, and the error bound that follows from the arguments' bounds.

    The function must be monotone in each argument. The ends of each interval are rounded outwards
    in f64, so that no part of a bound is lost.
    """
    value = function(*(x.value for x in of))
    if all(x.sure for x in of):
        return value, 0.0
    low, high = (function(*(_end(x, sign) for x in of)) for sign in (-1.0, 1.0))
    return value, np.maximum(_gap(low, value), _gap(high, value))


def _end(x: Bounded, sign: float) -> np.ndarray:
    end: np.ndarray = x.value + sign * x.bound
    return np.where(x.bound > 0, np.nextafter(end, sign * np.inf), x.value)


def astype(x: Bounded, dtype: Any, *, copy: bool = True) -> Bounded:
    """Convert to `dtype`. If `dtype` has fewer digits, round to nearest."""
    dtype = np.dtype(dtype)
    if not is_float(dtype):
        raise Unbounded(f"a float as {dtype}")
    if unit(dtype) <= unit(x.dtype):
        return Bounded(x.value, x.bound, dtype)
    value, bound = monotone(lambda v: v.astype(dtype).astype(np.float64), x)
    return Bounded(value, bound, dtype)


def total(x: Bounded, axis: Any = None, keepdims: bool = False) -> Bounded:
    """Return the sum over `axis`, with the rounding error of the sum in the bound."""
    value, sizes = (
        np.sum(part, axis=axis, keepdims=keepdims) for part in (x.value, np.abs(x.value))
    )
    bound = 0.0 if x.sure else np.sum(x.bound, axis=axis, keepdims=keepdims)
    terms = x.value.size // max(1, value.size)
    own = gamma(terms, unit(x.dtype)) + (REFERENCE if terms > 1 else 0.0)
    return Bounded(value, bound + own * (sizes + bound), x.dtype)


def matmul(a: Any, b: Any) -> Bounded:
    a, b = both(a, b)
    dtype, terms = common(a, b), a.value.shape[-1]
    sizes, others = np.abs(a.value) + a.bound, np.abs(b.value) + b.bound
    bound = np.abs(a.value) @ b.bound + a.bound @ others
    own = gamma(terms, unit(dtype)) + ROUNDINGS * unit(dtype) + REFERENCE
    return Bounded(a.value @ b.value, bound + own * (sizes @ others), dtype)


def function(plain: Callable[..., Any], least: float = -np.inf) -> Callable[[Bounded], Bounded]:
    """Return the monotone function `plain` for `Bounded` numbers. Its domain starts at `least`."""

    def bounded(x: Bounded) -> Bounded:
        _, bound = monotone(lambda v: plain(np.maximum(v, least)), x)
        value = plain(x.value)
        times = ROUNDINGS if plain is np.sqrt else FUNCTION
        return _rounded(value, bound, x, times=times)

    return bounded


def within_one(plain: Callable[..., Any]) -> Callable[[Bounded], Bounded]:
    """Return the function `plain` for `Bounded` numbers. Its slope is at most 1, as that of sin.

    Such a function cannot increase an error.
    """
    return lambda x: _rounded(plain(x.value), x.bound, x, times=FUNCTION)
