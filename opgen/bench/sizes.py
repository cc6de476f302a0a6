"""The calls to measure for an op: its first sample, scaled to a number of rows and columns.

The op's largest input counts as a matrix. The last dim of its shape is the number of columns, and
the product of the other dims is the number of rows. To set the number of rows, opgen changes the
first of these other dims that is not fixed. All other sizes stay as in the sample. If this gives
unrealistic sizes for an op, a project can define other sizes in its table of peers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.language.expr import names_in
from opgen.language.expr.evaluate import evaluate
from opgen.language.shapes import Dim, Group, Shape, Term
from opgen.source.frozen import dataclass
from opgen.testing.cases import dtype_rows, samples
from opgen.testing.environment import Case, environment, form_in, holds

# The sizes range from calls dominated by overhead to arrays far larger than the caches.
SIZES = ((8, 128), (128, 1024), (1024, 1024), (4096, 4096), (8192, 8192))


@dataclass(frozen=True)
class Size:
    """Rows and columns, such as `8x128`. If an op has several kinds of call, `call` is the kind."""

    rows: int
    columns: int
    call: str = ""

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns} {self.call}".rstrip()


def sample_of(op: Op) -> Case | None:
    """Return the first sample that has all optional inputs, or else the first sample."""
    found = samples(op)
    return next((c for c in found if not c.absent), found[0] if found else None)


def in_dtype(op: Op, case: Case, dtype: str) -> Case | None:
    """Return `case` with `dtype` for as many free dtype variables as possible, or None if none can
    have it.

    A free dtype variable that is not floating-point keeps the sample's dtype. If the op has no free
    variables, return `case` if the first input has the dtype `dtype`, and otherwise None.
    """
    if not any(v.free for v in op.dtypes):
        return case if op.inputs and op.inputs[0].dtype.alone == dtype else None
    former = dict(case.dtypes)
    best, most = None, 0
    for row in dtype_rows(op):
        changed = replace(case, dtypes=row)
        kept = all(new == former[name] or DTYPES[new].floating for name, new in row)
        count = sum(new == dtype for _, new in row)
        if kept and count > most and holds(op, changed):
            best, most = changed, count
    return best


def scaled(op: Op, sample: Case, size: Size) -> Case | None:
    """Return `sample` at `size`, or None if the op does not allow that size."""
    values = environment(op, sample)
    tensor = max(op.inputs, key=lambda t: _numel(values[t.name]))
    if tensor.list:
        changes = _list_elements(tensor, sample, size)
    else:
        shape = form_in(op, tensor, values, sample)
        changes = dict(_changes(shape, _known(op, sample), values, size))
    return with_sizes(op, sample, changes)


def with_sizes(op: Op, sample: Case, sizes: Mapping[str, object]) -> Case | None:
    """Return `sample` with other sizes of dims, groups and attrs, or None if the op rejects them.

    Raises ValueError if `sizes` has any other name, because that size could not be applied.
    """
    known, attrs = dict(sample.sizes), {attr.name for attr in op.options_given}
    for name in sizes:
        if name not in known and name not in attrs:
            names = ", ".join([*known, *attrs])
            raise ValueError(f"`{op.name}` has no size or attr `{name}` to set: {names}")
    given = dict(sample.attrs) | {n: v for n, v in sizes.items() if n in attrs}
    changed = replace(
        sample,
        sizes=tuple((n, sizes.get(n, v)) for n, v in sample.sizes),
        attrs=tuple(given.items()),
    )
    return changed if holds(op, changed) else None


def _known(op: Op, sample: Case) -> dict[str, object]:
    """Return the names whose values may change: sizes, and attrs of integer types."""
    return dict(sample.sizes) | {
        n: v for n, v in sample.attrs if n in {a.name for a in op.attrs if a.type.startswith("int")}
    }


def _numel(shape: object) -> int:
    if isinstance(shape, list):
        return sum(map(math.prod, shape))
    return math.prod(shape) if isinstance(shape, tuple) else 0


def _changes(
    shape: Shape, known: Mapping[str, Any], values: Mapping[str, Any], size: Size
) -> Iterator[tuple[str, object]]:
    """Yield new values for names in `shape`, so that it has the rows and columns of `size`."""
    if not shape.terms:
        return
    *leading, last = shape.terms
    if not leading and isinstance(last, Group):
        yield last.name, (size.rows, size.columns)
        return
    columns = size.columns if leading else size.rows * size.columns
    yield from _term_change(last, columns, known, values)
    name = _changeable(last, known)
    for term in leading:
        if _changeable(term, known) not in (None, name):
            others = math.prod(_term_numel(t, values) for t in leading if t is not term)
            yield from _term_change(term, max(1, size.rows // max(1, others)), known, values)
            return


def _changeable(term: Term, known: Mapping[str, Any]) -> str | None:
    names = [term.name] if isinstance(term, Group) else names_in(term.size)
    return next((name for name in names if name in known), None)


def _term_change(
    term: Term, wanted: int, known: Mapping[str, Any], values: Mapping[str, Any]
) -> Iterator[tuple[str, object]]:
    """Yield a new value for the first name in a term of a shape, so that the term equals `wanted`.

    If the term is a formula, the value of the name is scaled by the same factor as the term.
    """
    name = _changeable(term, known)
    if name is None:
        return
    if isinstance(term, Group):
        yield name, (wanted,)
    else:
        yield name, max(1, int(known[name]) * wanted // max(1, evaluate(term.size, values)))


def _term_numel(term: Term, values: Mapping[str, Any]) -> int:
    if isinstance(term, Dim):
        return int(evaluate(term.size, values))
    return math.prod(values[term.name])


def _list_elements(tensor: Tensor, sample: Case, size: Size) -> dict[str, object]:
    """Return sizes that distribute the rows over a list's tensors. Their number does not change."""
    known = dict(sample.sizes)
    groups = {group.name for shape in tensor.shapes for group in shape.groups if group.each}
    return {
        name: tuple((max(1, size.rows // len(known[name])), size.columns) for _ in known[name])
        for name in groups
    }
