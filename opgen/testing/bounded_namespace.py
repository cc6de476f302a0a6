"""The array namespace for references whose numbers have error bounds."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from inspect import signature
from typing import Any

import numpy as np

from opgen.testing.bounded import (
    Bounded,
    Doubtful,
    Unbounded,
    astype,
    both,
    common,
    exact,
    function,
    is_float,
    matmul,
    monotone,
    total,
    within_one,
)
from opgen.testing.namespaces import numpy_namespace

_plain = numpy_namespace()


def _chosen(choose: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Bounded]:
    def function(a: Any, b: Any) -> Bounded:
        a, b = both(a, b)
        return Bounded(*monotone(choose, a, b), common(a, b))

    return function


def _clip(x: Bounded, min: Any = None, max: Any = None) -> Bounded:
    for limit, choose in ((min, np.maximum), (max, np.minimum)):
        if limit is not None:
            x = _chosen(choose)(x, limit)
    return x


def _reduced(function: Callable[..., Bounded]) -> Callable[..., Bounded]:
    """Return `function` with an extra argument `dtype`: the input is converted to it first."""

    def reduced(x: Bounded, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Bounded:
        return function(x if dtype is None else astype(x, dtype), axis, keepdims)

    return reduced


def _extreme(choose: Callable[..., Any]) -> Callable[..., Bounded]:
    def function(x: Bounded, axis: Any = None, keepdims: bool = False) -> Bounded:
        made = monotone(lambda v: choose(v, axis=axis, keepdims=keepdims), x)
        return Bounded(*made, x.dtype)

    return function


def _mean(x: Bounded, axis: Any, keepdims: bool) -> Bounded:
    whole = total(x, axis, keepdims)
    return whole / (x.value.size // max(1, whole.value.size))


def _product(x: Bounded, axis: Any, keepdims: bool) -> Bounded:
    axes = tuple(range(x.ndim)) if axis is None else np.atleast_1d(axis)
    for each in axes:
        shape = tuple(1 if n == each % x.ndim else size for n, size in enumerate(x.shape))
        parts = [_moved("take", x, np.array([n]), axis=each) for n in range(x.shape[each])]
        one = Bounded(np.ones(shape), 0.0, x.dtype)
        x = reduce(Bounded.__mul__, parts) if parts else one
    return x if keepdims else _moved("squeeze", x, axis=tuple(axes))


def _joined(name: str) -> Callable[..., Bounded]:
    join = getattr(np, {"concat": "concatenate"}.get(name, name))

    def function(parts: Any, axis: int = 0) -> Bounded:
        dtype = common(*(x for x in parts if isinstance(x, Bounded)))
        wide = [x if isinstance(x, Bounded) else Bounded(x, 0.0, dtype) for x in parts]
        value, bound = (join([getattr(x, f) for x in wide], axis=axis) for f in ("value", "bound"))
        return Bounded(value, bound, dtype)

    return function


def _where(condition: Any, a: Any, b: Any) -> Any:
    """Select from `a` or `b`. If rounding may change a condition, the bound covers both values."""
    if isinstance(condition, Bounded) or not (isinstance(a, Bounded) or isinstance(b, Bounded)):
        raise Unbounded("where")
    a, b = both(a, b)
    doubtful = isinstance(condition, Doubtful)
    chosen = condition.value if doubtful else condition
    value = np.where(chosen, a.value, b.value)
    bound: Any = 0.0 if a.sure and b.sure else np.where(chosen, a.bound, b.bound)
    if doubtful:
        reach = np.maximum(*(np.abs(x.value - value) + x.bound for x in (a, b)))
        bound = np.where(condition.doubt, reach, bound)
    return Bounded(value, bound, common(a, b))


def _ordered(name: str) -> Callable[..., Any]:
    def function(x: Bounded, **options: Any) -> Any:
        if not x.sure:
            raise Unbounded(f"{name} of what is rounded")
        return getattr(_plain, name)(x.value, **options)

    return function


def _full_like(x: Bounded, fill: Any, *, dtype: Any = None, device: Any = None) -> Any:
    if isinstance(fill, Bounded | Doubtful):
        raise Unbounded("full_like of what is rounded")
    return exact(_plain.full_like(x.value, fill, dtype=dtype or x.dtype))


def _like(fill: float) -> Callable[..., Any]:
    return lambda x, *, dtype=None, device=None: _full_like(x, fill, dtype=dtype)


def _moved(name: str, x: Bounded, *rest: Any, **options: Any) -> Bounded:
    plain = getattr(_plain, name)
    bound = 0.0 if x.sure else plain(x.bound, *rest, **options)
    return Bounded(plain(x.value, *rest, **options), bound, x.dtype)


KNOWN: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "add": lambda a, b: both(a, b)[0] + b,
    "argmax": _ordered("argmax"),
    "argmin": _ordered("argmin"),
    "argsort": _ordered("argsort"),
    "astype": astype,
    "clip": _clip,
    "concat": _joined("concat"),
    "cos": within_one(np.cos),
    "divide": lambda a, b: both(a, b)[0] / b,
    "erf": function(_plain.erf),
    "erfc": function(_plain.erfc),
    "exp": function(np.exp),
    "expm1": function(np.expm1),
    "full_like": _full_like,
    "log": function(np.log, 0.0),
    "log1p": function(np.log1p, -1.0),
    "log2": function(np.log2, 0.0),
    "matmul": matmul,
    "max": _extreme(np.max),
    "maximum": _chosen(np.maximum),
    "mean": _reduced(_mean),
    "min": _extreme(np.min),
    "minimum": _chosen(np.minimum),
    "multiply": lambda a, b: both(a, b)[0] * b,
    "ones_like": _like(1.0),
    "prod": _reduced(_product),
    "result_type": common,
    "sin": within_one(np.sin),
    "sqrt": function(np.sqrt, 0.0),
    "square": lambda x: x * x,
    "stack": _joined("stack"),
    "subtract": lambda a, b: both(a, b)[0] - b,
    "sum": _reduced(total),
    "tanh": function(np.tanh),
    "trunc": lambda x: Bounded(*monotone(np.trunc, x), x.dtype),
    "where": _where,
    "zeros_like": _like(0.0),
}
# Functions that move or copy elements and do not change their values.
MOVES = {
    "broadcast_to",
    "expand_dims",
    "flip",
    "matrix_transpose",
    "moveaxis",
    "permute_dims",
    "repeat",
    "reshape",
    "roll",
    "squeeze",
    "take",
    "take_along_axis",
    "tile",
}
MADE = {"arange", "asarray", "full", "ones", "zeros"}


class Namespace:
    """NumPy's functions for arrays whose elements have error bounds (`Bounded`).

    A call raises `Unbounded` if no bound is known for its result.
    """

    def __getattr__(self, name: str) -> Any:
        plain = getattr(_plain, name)
        if not callable(plain) or isinstance(plain, type):
            return plain

        def function(*args: Any, **options: Any) -> Any:
            given = [
                a for each in args for a in (each if isinstance(each, list | tuple) else [each])
            ]
            if any(isinstance(a, Bounded | Doubtful) for a in given):
                if name in KNOWN and not (isinstance(args[0], Doubtful) and name != "where"):
                    try:
                        signature(KNOWN[name]).bind(*args, **options)
                    except TypeError:
                        raise Unbounded(f"{name} with these arguments") from None
                    return KNOWN[name](*args, **options)
                if name in MOVES and isinstance(args[0], Bounded):
                    return _moved(name, *args, **options)
                raise Unbounded(name)
            if name == "astype" and is_float(args[1]):
                return Bounded(args[0], 0.0, args[1])
            made = plain(*args, **options)
            if not isinstance(made, np.ndarray | np.generic) or not is_float(made.dtype):
                return made
            if name not in MADE:
                raise Unbounded(f"{name} of integers")
            return exact(made)

        return function
