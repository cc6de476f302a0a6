"""Decide whether a spec allows a call, by trying all possible values of the spec's names.

`ir/shape_inference.py` infers sizes step by step. This module instead tries every choice of shapes
and ranks. A test thus finds a fault even if a step of the inference is wrong.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from opgen.ir.nodes import Attr, Tensor
from opgen.ir.op import Op
from opgen.ir.worlds import expanded
from opgen.language.expr import Expr, Index, Name, names_in
from opgen.language.expr.evaluate import Unbound, evaluate
from opgen.language.shapes import Dim, Group, Shape
from opgen.testing.cases import names_of
from opgen.testing.environment import Case, dtype_in, environment, meets, numpy_dtype

# The declared shape and the actual shape of an array, and its index if it is in a list.
Placed = tuple[Shape, tuple[int, ...], int | None]
# The size of each name. The size of a group is a tuple. A name that differs between the tensors of
# a list has a size for each tensor.
Bound = dict[str, Any]
# A size expression, the size that it must equal, and the tensor's index if it is in a list.
Equation = tuple[Expr, int, int | None]
# A name. If it differs between the tensors of a list, the second item is the tensor's index.
Key = tuple[str, int | None]


def fits(op: Op, arrays: Sequence[Any], attrs: Mapping[str, Any]) -> bool:
    """Return whether the spec allows a call with these inputs and attrs."""
    given = {attr.name: attr for attr in op.options_given}
    if not all(_in_range(given[name], value) for name, value in attrs.items()):
        return False
    absent = tuple(t.name for t, x in zip(op.inputs, arrays) if x is None)
    rows = _dtypes(op, arrays)
    for forms, sizes in _sizes(op, arrays, attrs):
        for row in rows:
            case = Case(row, sizes, tuple(attrs.items()), absent, forms)
            if _is(op, case, arrays):
                return True
    return False


def _dtypes(op: Op, arrays: Sequence[Any]) -> list[tuple[tuple[str, str], ...]]:
    """Return each choice of dtypes for the free dtype variables that agrees with the inputs."""
    free = {var.name: var.choices for var in op.dtypes if var.free}
    for tensor, x in zip(op.inputs, arrays):
        var = tensor.dtype.alone
        if x is not None and var in free:
            of = {numpy_dtype(name): name for name in free[var]}
            same = {of.get(each.dtype) for each in _each(x)}
            free[var] = tuple(name for name in same if name is not None)
    return [tuple(zip(free, row)) for row in itertools.product(*free.values())]


def _in_range(attr: Attr, value: Any) -> bool:
    """Return whether `value` has an attr's length and is within its choices and bounds. NaN is
    outside any bound.
    """
    if attr.length and value is not None and len(value) != attr.length:
        return False
    for each in value if isinstance(value, list | tuple) else (value,):
        if each is None:
            continue
        if attr.choices and each not in attr.choices:
            return False
        if attr.min is not None and not each >= attr.min:
            return False
        if attr.max is not None and not each <= attr.max:
            return False
    return True


def _is(op: Op, case: Case, arrays: Sequence[Any]) -> bool:
    """Return whether `case` describes the inputs `arrays` and satisfies all requirements."""
    try:
        values = environment(op, case)
        matching = (_matches(t, x, values) for t, x in zip(op.inputs, arrays, strict=True))
        return meets(values, op.require) and all(matching)
    except (Unbound, KeyError, TypeError, ValueError, OverflowError, ZeroDivisionError):
        return False


def _matches(tensor: Tensor, array: Any, values: Mapping[str, Any]) -> bool:
    shape = values[tensor.name]
    if shape is None or array is None:
        return shape is None and array is None
    dtype = numpy_dtype(dtype_in(tensor, values))
    if tensor.list:
        same = len(shape) == len(array) and all(x.dtype == dtype for x in array)
        return same and all(tuple(s) == x.shape for s, x in zip(shape, array))
    return bool(tuple(shape) == array.shape and array.dtype == dtype)


def _sizes(
    op: Op, arrays: Sequence[Any], attrs: Mapping[str, Any]
) -> Iterator[tuple[tuple[tuple[str, int], ...], tuple[tuple[str, Any], ...]]]:
    """Yield each choice of forms (shapes) that fits the inputs, with sizes of dims and groups."""
    there = [(t, x) for t, x in zip(op.inputs, arrays) if x is not None]
    choices = [
        [(n, form) for forms in tensor.forms.values() for n, form in enumerate(forms)]
        for tensor, _ in there
    ]
    names = names_of(op)
    largest = max((n for _, x in there for each in _each(x) for n in each.shape), default=0)
    for chosen in itertools.product(*choices):
        placed: list[Placed] = []
        for (tensor, x), (_, form) in zip(there, chosen):
            form = expanded(form, dict(op.dims))
            for i, each in enumerate(_each(x)):
                placed.append((form, each.shape, i if tensor.list else None))
        forms = tuple((t.name, n) for (t, _), (n, _) in zip(there, chosen) if n)
        for bound, equations in _unified(placed, names):
            rest = [name for name in names if name not in bound]
            for sizes in _completed({**attrs, **bound}, equations, rest, largest):
                yield forms, tuple((name, sizes[name]) for name in names)


def _completed(
    bound: Bound, equations: Sequence[Equation], rest: Sequence[str], largest: int
) -> Iterator[Bound]:
    """Yield `bound` with a size added for each name in `rest`.

    If an equation determines a name, only its solutions are tried. Otherwise all sizes up to
    `largest + 1` are tried.
    """
    if not rest:
        yield bound
        return
    every = range(largest + 2)
    for size, wanted, i in equations:
        unknown = {*names_in(size)} & {*rest}
        if len(unknown) == 1:
            (name,) = unknown
            values = [n for n in every if _equal(size, wanted, {**bound, name: n, "i": i})]
            break
    else:
        name = rest[0]
        told = any(name in names_in(size) for size, _, _ in equations)
        values = [*every] if told else [1]  # otherwise only absent tensors use this name
    others = [each for each in rest if each != name]
    for value in values:
        yield from _completed({**bound, name: value}, equations, others, largest)


def _equal(size: Expr, wanted: int, values: Mapping[str, Any]) -> bool:
    """Return whether a size expression equals `wanted` or cannot be computed yet."""
    try:
        return bool(evaluate(size, values) == wanted)
    except (Unbound, KeyError, ZeroDivisionError):
        return True


def _each(value: Any) -> Sequence[np.ndarray]:
    return value if isinstance(value, list) else [value]


def _unified(
    placed: Sequence[Placed], names: Mapping[str, str]
) -> Iterator[tuple[Bound, list[Equation]]]:
    """Try all ranks of the groups. Yield values of dims and groups, and the unsolved equations."""
    groups = {
        (group.name, i if group.each else None) for shape, _, i in placed for group in shape.groups
    }
    highest = max((len(sizes) for _, sizes, _ in placed), default=0)
    keys = sorted(groups, key=str)
    for ranks in itertools.product(range(highest + 1), repeat=len(keys)):
        found = _bound(placed, dict(zip(keys, ranks)), names)
        if found is not None:
            yield found


def _bound(
    placed: Sequence[Placed], ranks: Mapping[Key, int], names: Mapping[str, str]
) -> tuple[Bound, list[Equation]] | None:
    """Return the sizes for these ranks, and the unsolved equations.

    Return None if two arrays need different values of a size.
    """
    found: dict[Key, Any] = {}
    equations: list[Equation] = []
    for shape, sizes, i in placed:
        widths = [ranks[_key(t, i)] if isinstance(t, Group) else 1 for t in shape.terms]
        if sum(widths) != len(sizes):
            return None
        rest = iter(sizes)
        for term, width in zip(shape.terms, widths):
            key, value = _key(term, i), tuple(itertools.islice(rest, width))
            if key[0] not in names:  # the term is a computed size or an attr
                equations += [(term.size, value[0], i)] if isinstance(term, Dim) else []
            elif found.setdefault(key, value) != value:
                return None
    bound: Bound = {}
    for (name, i), sizes in sorted(found.items(), key=str):
        size = sizes if names[name].startswith("ints") else sizes[0]
        bound[name] = size if i is None else (*bound.get(name, ()), size)
    return bound, equations


def _key(term: Group | Dim, i: int | None) -> Key:
    """Return a key: the name whose size a term of a shape gives directly, or "" if there is none.

    The key also contains `i`, the index of a tensor in a list, if the name's size may differ
    between the tensors of the list.
    """
    if isinstance(term, Group):
        return term.name, i if term.each else None
    if isinstance(term.size, Index) and term.size.index == Name("i"):
        return (term.size.value.id, i) if isinstance(term.size.value, Name) else ("", None)
    return term.name or "", None
