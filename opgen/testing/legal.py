"""Draw elements that satisfy the `values` condition of an input."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from opgen.language.dtypes import DTYPES
from opgen.language.expr import (
    Bool,
    Call,
    Compare,
    Const,
    Expr,
    Name,
    is_offsets,
    names_in,
    walk,
)
from opgen.language.expr.evaluate import Unbound, evaluate
from opgen.language.expr.syntax import OF_ROWS, conjuncts, map_children

# Integers are drawn below this limit, because the condition is tested for each candidate.
LARGEST_INDEX = 2**17
LARGEST_BOUND = 1000
TRIES = 20


def any_legal(
    name: str, condition: Expr, values: Mapping[str, Any], dtype: str, shape: tuple[int, ...]
) -> bool:
    """Return whether an element of the input `name` can satisfy its `values` condition."""
    rng = np.random.default_rng(0)
    by_itself = not _of_rows(condition)[0] and _with_sum(condition, name) == condition
    if 0 in shape or is_offsets(condition) or not by_itself:
        return legal(name, condition, values, dtype, shape, rng) is not None
    return any(True for _ in _allowed(name, condition, values, dtype, rng))


def legal(
    name: str,
    condition: Expr,
    values: Mapping[str, Any],
    dtype: str,
    shape: tuple[int, ...],
    rng: np.random.Generator,
) -> np.ndarray | None:
    """Draw the input `name` so that `condition` holds. Return None if no values are found."""
    made: np.dtype[Any] = np.dtype(np.float64 if DTYPES[dtype].kind == "float" else np.int64)
    if is_offsets(condition):
        return _offsets(condition, values, shape, rng)
    rows, condition = _of_rows(condition)
    whole = _with_sum(condition, name)
    if 0 in shape:
        about_all = [part for part in conjuncts(whole) if name not in names_in(part)]
        sound = all(evaluate(part, {**values, SUM: 0}) for part in about_all)
        return np.zeros(shape, made) if sound else None
    if whole == condition:
        pool = list(_allowed(name, whole, values, dtype, rng))
        found = _drawn(pool, shape, rows, rng)
        return None if found is None else found.astype(made)
    for total in _totals(whole, values, shape):
        pool = list(_allowed(name, whole, {**values, SUM: total}, dtype, rng))
        for _ in range(TRIES if pool else 0):
            array = rng.choice(pool, shape).astype(made)
            if made == np.int64:
                array = _summed(array, pool, total, rng)
            if "distinct" in rows and np.unique(array).size < array.size:
                continue
            about = {**values, SUM: array.sum().item()}
            if all(evaluate(whole, {**about, name: n}) for n in array.flat):
                return np.sort(array, axis=-1) if "ascending" in rows else array
    return None


def integer_limits(dtype: str) -> tuple[int, int]:
    """Return the least and greatest integer of `dtype`, or those of i64 for any other dtype."""
    kind, bits = DTYPES[dtype].kind, DTYPES[dtype].bits
    if kind == "uint":
        return 0, 2**bits - 1
    digits = bits - 1 if kind == "int" else 63
    return -(2**digits), 2**digits - 1


def _offsets(
    condition: Call, values: Mapping[str, Any], shape: tuple[int, ...], rng: np.random.Generator
) -> np.ndarray | None:
    """Draw offsets. Each row (the last dim) ascends from 0 to the last offset in `condition`.

    Return None if a row is too short to contain both of these numbers.
    """
    last = evaluate(condition.args[0], values) if condition.args else LARGEST_BOUND
    *rows, size = shape
    if size < 2 and condition.args and last and 0 not in rows:
        return None
    bounds = np.sort(rng.integers(0, last + 1, shape), axis=-1)
    bounds[..., -1:], bounds[..., :1] = last, 0
    return bounds


def _of_rows(condition: Expr) -> tuple[set[str], Expr]:
    """Split off the parts of `condition` that concern a whole row (the last dim).

    Return the names of the functions in these parts, for example `distinct`, and the rest of the
    condition. `OF_ROWS` lists all such functions.
    """
    parts = conjuncts(condition)
    rows = {part.func for part in parts if isinstance(part, Call) and part.func in OF_ROWS}
    left = tuple(p for p in parts if not (isinstance(p, Call) and p.func in OF_ROWS))
    return rows, Bool("and", left) if left else Const(True)


def _drawn(
    pool: list[Any], shape: tuple[int, ...], rows: set[str], rng: np.random.Generator
) -> np.ndarray | None:
    """Return an array of elements from `pool`, or None if the pool is too small.

    If `rows` contains "ascending", each row (the last dim) is sorted. If it contains "distinct", no
    row has duplicates.
    """
    count = shape[-1] if "distinct" in rows else 1
    if len(pool) < count:
        return None
    found = rng.choice(pool, shape)
    if "distinct" in rows:
        each = [rng.choice(pool, count, replace=False) for _ in range(math.prod(shape[:-1]))]
        found = np.stack(each).reshape(shape)
    return np.sort(found, axis=-1) if "ascending" in rows else found


# A name that stands for the sum of all elements in a condition. No spec can contain this name.
SUM = "sum of all"


def _with_sum(condition: Expr, name: str) -> Expr:
    """Return `condition` with `SUM` in place of the sum of all elements of the input `name`."""
    if condition == Call("sum", (Name(name),)):
        return Name(SUM)
    return map_children(condition, lambda part: _with_sum(part, name))


def _allowed(
    name: str, condition: Expr, values: Mapping[str, Any], dtype: str, rng: np.random.Generator
) -> Iterator[Any]:
    """Yield numbers that satisfy `condition` as values of an element of the input `name`."""
    if DTYPES[dtype].kind == "float":
        numbers: Sequence[Any] = rng.standard_normal(512).tolist()
    else:
        sizes = (n for n in values.values() if isinstance(n, int))
        least, greatest = integer_limits(dtype)
        last = min(max(512, min(max(sizes, default=0), LARGEST_INDEX)), greatest + 1)
        numbers = range(max(-128, least), last)
    return (n for n in numbers if evaluate(condition, {**values, name: n}))


def _totals(
    condition: Expr, values: Mapping[str, Any], shape: tuple[int, ...]
) -> Iterator[int | float]:
    """Yield candidates for the sum of all elements.

    The first candidates are close to the numbers with which the condition compares the sum.
    """
    for part in walk(condition):
        if isinstance(part, Compare) and Name(SUM) in part.operands:
            for operand in part.operands:
                try:
                    bound = evaluate(operand, values) if isinstance(operand, Expr) else None
                except Unbound:
                    continue
                if isinstance(bound, int | float):
                    yield from (bound, bound - 1, bound + 1)
    yield from (int(np.prod(shape)), 0, 10**6, -(10**6))


def _summed(
    array: np.ndarray, pool: list[Any], total: float, rng: np.random.Generator
) -> np.ndarray:
    """Replace elements of `array` by elements of `pool`, so that the sum is close to `total`."""
    numbers, found = np.array(pool), array.copy()
    for at in rng.permutation(found.size):
        wanted = found.flat[at] + total - found.sum()
        found.flat[at] = numbers[np.abs(numbers - wanted).argmin()]
    return found
