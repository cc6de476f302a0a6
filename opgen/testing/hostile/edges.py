"""Cases with large sizes, and cases in which one size is at the edge of a vector or block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from math import prod
from typing import Any

from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.language.shapes import Group
from opgen.testing.cases import cases, dtype_rows, factors_of, names_of
from opgen.testing.environment import LIST_LENGTH, Case, environment, holds

# Sizes to try: 0, 1, small sizes, and one more than a register, tile or block.
EDGES = (0, 1, 2, 3, 8, 9, 17, 33, 65, 129, 257, 1025)
# The range of element counts in which kernels start to divide work over threads.
LARGE = (2**16, 2**18)
LARGE_SIZES = ((1, 66001), (257, 509), (2051, 37), (4099, 17))
# The limit for the product of a case's sizes. It keeps the run time of references small.
MOST = 2**20
# The same limit if a dim is a product of sizes. In that case, a reference may compare all pairs of
# elements.
PRODUCTS = 2**12
# The limit of this product for the cases that are varied, if the op has such small cases.
FEW = 2**10


def edge_cases(op: Op) -> list[Case]:
    """Return cases of `op` in which each size, one at a time, takes each value of `EDGES`.

    Each value of a size is tried with the most precise dtypes, and with one other combination of
    dtypes. The other combinations, and the options of the op, take turns.
    """
    known = [case for case in cases(op) if _storable(op, case)]
    few = (case for case in known if filled(case) and _product(case) <= FEW)
    bases = [*few] or [*filter(filled, known)] or known
    found = list(known)
    factors, most = factors_of(op), PRODUCTS if _multiplies(op) else MOST
    every = dtype_rows(op)
    exact = max(every, key=_precision, default=())
    rows = cycle([row for row in every if row != exact] or [exact])
    turns = cycle(bases)
    for name in names_of(op):
        zero = name in factors  # if one factor is 0, nothing determines the other
        for edge in EDGES[zero:] if bases else ():
            for dtypes in dict.fromkeys((exact, next(rows))):
                for base in (next(turns) for _ in bases):
                    size = _like(dict(base.sizes)[name], edge) if name in dict(base.sizes) else edge
                    sizes = tuple((n, size if n == name else s) for n, s in base.sizes)
                    case = replace(base, sizes=sizes, dtypes=dtypes)
                    small = _product(case) <= most
                    if small and holds(op, case) and _storable(op, case):
                        found.append(case)
                        break
    return list(dict.fromkeys([*found, *(_large(op, bases) if most == MOST else ())]))


def _precision(dtypes: tuple[tuple[str, str], ...]) -> int:
    """Return the width of the narrowest float dtype in bits. Rounding to few bits hides faults."""
    return min((DTYPES[d].bits for _, d in dtypes if DTYPES[d].floating), default=0)


def _multiplies(op: Op) -> bool:
    """Return whether a dim of a tensor is a product, or another expression, of sizes."""
    terms = (term for tensor in op.tensors for shape in tensor.shapes for term in shape.terms)
    return any(not isinstance(term, Group) and not term.name for term in terms)


def _large(op: Op, bases: list[Case]) -> Iterator[Case]:
    """Yield a few cases with enough elements for several threads."""
    # With a `values` condition, drawing inputs is slow, because each candidate is tested.
    searched = any(tensor.values for tensor in op.inputs)
    for first, second in LARGE_SIZES[searched:]:
        for base in bases[:4]:
            names = list(dict(base.sizes))
            for a, b in (
                {(names[0], names[-1]), (names[0], names[len(names) // 2])} if names else ()
            ):
                sizes = dict(base.sizes)
                sizes[a], sizes[b] = _like(sizes[a], first), _like(sizes[b], second)
                case = replace(base, sizes=tuple(sizes.items()))
                if _product(case) > MOST or not holds(op, case):
                    continue
                if LARGE[0] <= _elements(op, case) < LARGE[1]:
                    yield case
                    break
            else:
                continue
            break


def _like(size: Any, edge: int) -> Any:
    """Return `edge` as a size of the same kind as `size`: an int, a group, or a list of groups."""
    if not isinstance(size, tuple):
        return edge
    if size and isinstance(size[0], tuple):
        return (_like((1,), edge),) * LIST_LENGTH
    return (edge,)


def filled(case: Case) -> bool:
    return min(case.numbers, default=1) > 0


def _product(case: Case) -> int:
    """Return the product of all sizes; a 0 counts as 1."""
    return prod(max(size, 1) for size in case.numbers)


def _storable(op: Op, case: Case) -> bool:
    """Return whether each dtype of the call has at least 8 bits, so that NumPy can store it."""
    values = environment(op, case)
    named = {name for tensor in op.tensors for name in tensor.dtype.values()}
    dtypes = {str(values.get(name, name)) for name in named}
    return all(DTYPES[name].bits >= 8 for name in dtypes if name in DTYPES)


def _elements(op: Op, case: Case) -> int:
    """Return the number of elements of the largest input."""
    values = environment(op, case)
    shapes = [values[t.name] for t in op.inputs if values[t.name] is not None]
    flat = [each for s in shapes for each in (s if isinstance(s, list) else [s])]
    return max(map(prod, flat), default=0)
