"""The calls with which an op is tested.

The cases cover each combination of dtypes, with empty, odd and large sizes. In addition, each
optional input is absent in some case, and each choice of an attr and each form (shape) of an input
is used. The samples of the spec are cases too.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from opgen.ir.nodes import Attr, DTypeVar
from opgen.ir.op import Op
from opgen.ir.resolve_kernels import dispatch_rows
from opgen.language.dtypes import DTYPES
from opgen.language.expr import names_in
from opgen.language.shapes import Group
from opgen.spec.attr_types import type_of_attr
from opgen.testing.environment import (
    LIST_LENGTH,
    Case,
    differentiable,
    has_literal,
    holds,
    numbers_in,
)

# Sizes to try: empty, one element, odd, and larger than a vector register or tile.
GROUPS = ((3, 5), (1,), (0,), (), (2, 33), (4, 0, 3), (129,), (2, 3, 17))
DIMS = (5, 1, 0, 17, 33, 3, 129, 64)
# Smaller sizes. They are used if a requirement rejects the others, or if a product of sizes gets
# too large.
SMALL = (1, 2, 3, 4, 6, 8, 16)
LARGEST = 2**20
TRIES = 200


def names_of(op: Op) -> dict[str, str]:
    """Return the dims and groups whose size a test may choose, with the type of the size.

    The type is `int` for a dim and `ints` for a group. It is `int of each` or `ints of each` if the
    size differs between the tensors of a list.
    """
    taken = {a.name for a in op.attrs} | {name for name, _ in op.dims}
    taken |= {t.list for t in op.inputs if t.list} | {*op.decided, "i"}
    found: dict[str, str] = {}
    for tensor in op.inputs:
        for shape in tensor.shapes:
            groups = {group.name for group in shape.groups}
            for name in shape.names:
                if name not in taken:
                    kind = "ints" if name in groups else "int"
                    found.setdefault(name, f"{kind} of each" if name in shape.each else kind)
    return found


def factors_of(op: Op) -> set[str]:
    """Return the factors of dims such as `h*g`. If `h` is 0, the shape does not determine `g`."""
    found: set[str] = set()
    for tensor in op.inputs:
        for term in (term for shape in tensor.shapes for term in shape.terms):
            if not isinstance(term, Group) and not term.name:
                found.update(names_in(term.size))
    return found


def cases(op: Op, *, floating: bool = False, limit: int = 24) -> list[Case]:
    """Return at most `limit` cases of `op`.

    With `floating`, return only cases that allow a gradient, with floating dtypes wherever the spec
    allows them.
    """
    rows, rtol = dtype_rows(op), tolerance_of(op)
    if floating:
        may = {v.name for v in op.dtypes if may_float(v)}
        rows = [r for r in rows if all(DTYPES[d].floating for n, d in r if n in may)]
    if not rows:
        return []
    drawn = [case for case in samples(op) if case.dtypes in rows]
    variants = list(_variants(op))
    if floating:  # either all cases of one variant have a gradient, or none
        tried = ((v, sized(op, replace(v, dtypes=rows[0]), 0)) for v in variants)
        base = (v for v, case in tried if case is not None and differentiable(op, case))
        variants = list(_variants(op, next(base, variants[0])))
    turns = max(len(rows), len(variants), len(GROUPS))
    for turn in range(turns):
        row, variant = rows[turn % len(rows)], variants[turn % len(variants)]
        drawn += filter(None, [sized(op, replace(variant, dtypes=row, rtol=rtol), turn)])
    if len(variants) == 1:  # without variants, also try each size with the first dtypes
        drawn += filter(
            None, (sized(op, Case(rows[0], (), rtol=rtol), n, 100) for n in range(len(GROUPS)))
        )
    if floating:
        drawn = [case for case in drawn if differentiable(op, case)]
    return list(dict.fromkeys(drawn))[:limit]


def tolerance_of(op: Op) -> float | None:
    """Return the largest `rtol` of the op's samples, or None if none has one."""
    return max((s["rtol"] for s in op.samples if "rtol" in s), default=None)


def may_float(var: DTypeVar) -> bool:
    """Return whether a dtype variable is free and may be a floating-point dtype."""
    return var.free and any(DTYPES[choice].floating for choice in var.choices)


def doubles(op: Op) -> list[Case]:
    """Return two small cases for numeric differentiation, in f64 wherever the spec allows it."""
    may = {var.name for var in op.dtypes if may_float(var)}
    names = names_of(op)
    found = []
    for row in dtype_rows(op):
        if all(dtype == "f64" for n, dtype in row if n in may):
            for one, group in ((3, (2, 3)), (1, (4,))):
                rng = random.Random(f"{op.name} {one}")
                for _ in range(TRIES):
                    sizes = tuple((n, _alike(k, one, group)) for n, k in names.items())
                    attrs = tuple(
                        (a.name, _attr(a, one, rng)) for a in op.options_given if a.required
                    )
                    case = Case(row, sizes, attrs, seed=7)
                    if holds(op, case) and differentiable(op, case):
                        found.append(case)
                        break
                    one, group = rng.choice(SMALL[:4]), (rng.choice(SMALL[:3]),)
    return found[:2]


def _alike(kind: str, one: int, group: tuple[int, ...]) -> object:
    """Return `one` or `group` as a size of this kind. All tensors of a list get the same size."""
    size = group if kind.startswith("ints") else one
    return (size,) * LIST_LENGTH if kind.endswith("of each") else size


def dtype_rows(op: Op) -> list[tuple[tuple[str, str], ...]]:
    """Return each allowed combination of dtypes for the op's free dtype variables."""
    free = {var.name: var.choices for var in op.dtypes if var.free}
    rows = dispatch_rows(tuple(free), free, op.dtypes, op.require)
    return [tuple(zip(free, row)) for row in rows]


def _variants(op: Op, base: Case = Case((), ())) -> Iterator[Case]:
    """Yield `base`, and then variants of `base` that differ from it in one input, attr or form."""
    yield base
    for tensor in op.inputs:
        if tensor.optional and tensor.name not in base.absent:
            yield replace(base, absent=(*base.absent, tensor.name))
    for attr in op.attrs:
        choices = attr.choices or ((False, True) if attr.type == "bool" else ())
        for choice in choices:
            if not has_literal(attr) or choice != attr.default:
                yield replace(base, attrs=(*base.attrs, (attr.name, choice)))
    for tensor in op.inputs:
        count = max(len(forms) for forms in tensor.forms.values())
        for form in range(1, count):
            yield replace(base, forms=(*base.forms, (tensor.name, form)))


def sized(op: Op, case: Case, turn: int, seed: int = 0) -> Case | None:
    """Return `case` with the missing sizes and required attrs, or None if no values are found."""
    names, factors, given = names_of(op), factors_of(op), dict(case.sizes)
    rng = random.Random(f"{op.name} {turn}")
    for attempt in range(TRIES):
        sizes: list[tuple[str, Any]] = []
        for place, (name, kind) in enumerate(names.items()):
            size = _size(kind, turn + 3 * place, attempt, rng)
            if name not in given:
                sizes.append((name, 1 if size == 0 and name in factors else size))
        attrs = dict(case.attrs)
        for attr in op.options_given:
            if attr.required and attr.name not in attrs:
                attrs[attr.name] = _attr(attr, turn, rng)
        bounded = (*given.items(), *_bounded(sizes, rng))
        found = replace(case, sizes=bounded, attrs=tuple(attrs.items()), seed=seed + turn)
        if holds(op, found):
            return found
    return None


def _bounded(sizes: list[tuple[str, Any]], rng: random.Random) -> list[tuple[str, Any]]:
    """Return `sizes`. Large sizes are reduced until the product of all is at most `LARGEST`."""
    found = dict(sizes)
    while math.prod(map(_count, found.values())) > LARGEST:
        greatest = max(found, key=lambda name: _count(found[name]))
        found[greatest] = _small(found[greatest], rng)
    return [*found.items()]


def _small(size: Any, rng: random.Random) -> Any:
    if isinstance(size, tuple):
        return tuple(_small(part, rng) for part in size)
    return rng.choice(SMALL)


def _count(size: Any) -> int:
    """Return the product of the numbers in `size`; a 0 counts as 1."""
    return math.prod(max(number, 1) for number in numbers_in(size))


def _size(kind: str, place: int, attempt: int, rng: random.Random) -> Any:
    if kind.endswith(" of each"):
        return tuple(
            rng.choice(GROUPS if kind.startswith("ints") else DIMS) for _ in range(LIST_LENGTH)
        )
    if attempt == 0:
        return (GROUPS if kind == "ints" else DIMS)[place % len(GROUPS)]
    if kind == "ints":
        return tuple(rng.choice(SMALL) for _ in range(rng.randint(0, 2)))
    return rng.choice(SMALL)


def _attr(attr: Attr, turn: int, rng: random.Random) -> Any:
    """Return a value for a required attr, within its choices and bounds."""
    if attr.choices:
        return attr.choices[turn % len(attr.choices)]
    base, bracket, count = attr.type.partition("[")
    if bracket:
        length = int(count.removesuffix("]") or rng.randint(0, 2))
        return tuple(_number(attr, base, rng) for _ in range(length))
    if base in ("int", "float"):
        return _number(attr, base, rng)
    known = {"bool": turn % 2 == 1, "str": "text"}
    return known[base] if base in known else type_of_attr(base).sample


def _number(attr: Attr, base: str, rng: random.Random) -> Any:
    low = attr.min if attr.min is not None else 1
    high = attr.max if attr.max is not None else low + 8
    return rng.uniform(low, high) if base == "float" else rng.randint(int(low), int(high))


def samples(op: Op) -> list[Case]:
    """Return the samples of the spec as cases. Sizes and attrs that a sample omits are drawn.

    Each input uses its first form (shape) whose dims all have a size in the sample. A sample is
    skipped if no values are found for it.
    """
    names, attrs = names_of(op), {a.name for a in op.options_given}
    rows = dtype_rows(op)
    required = {a.name for a in op.options_given if a.required}
    optional = [t.name for t in op.inputs if t.optional]
    first = dict(rows[0]) if rows else {}
    found = []
    for number, sample in enumerate(op.samples if rows else ()):
        dtypes = tuple((name, str(sample.get(name, first[name]))) for name in first)
        sizes = tuple((n, _frozen(sample[n])) for n in names if n in sample)
        given = tuple((n, _frozen(v)) for n, v in sample.items() if n in attrs)
        absent = tuple(n for n in optional if sample.get(n) is False)
        case = Case(
            dtypes,
            sizes,
            given,
            absent,
            _forms(op, sample),
            seed=50 + number,
            rtol=sample.get("rtol"),
        )
        complete = required <= {*sample} and holds(op, case)
        whole = case if complete else sized(op, case, number, seed=50)
        if whole is not None:
            found.append(whole)
    return found


def _forms(op: Op, sample: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    """Return the index of the form (shape) for each input that does not use its first form."""
    free = names_of(op)
    found: list[tuple[str, int]] = []
    for tensor in op.inputs:
        forms = next(iter(tensor.forms.values()))
        named = (
            n for n, form in enumerate(forms) if all(k in sample for k in form.names if k in free)
        )
        form = next(named, 0)
        if form:
            found.append((tensor.name, form))
    return tuple(found)


def _frozen(value: object) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
