"""Check that the dtypes of an op's tensors fit the arguments of its backward op."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from opgen.language.analysis import analysis
from opgen.language.call_variants import THERE, in_words, ways
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Const, Expr, parse_expr
from opgen.language.expr.decide import decide
from opgen.lint.op_context import OpContext
from opgen.lint.pairing import TENSORS, Pair, renamed
from opgen.spec.models.tensors import TensorSpec

ROWS_AT_MOST = 4096
# One combination of dtypes: the dtype of each variable and dtype attr. It also has the values of
# attrs, and the presence of tensors, on which a dtype depends.
Row = dict[str, object]


class DtypeTrouble(NamedTuple):
    """A dtype error in a call of a backward op.

    `kind` is `argument` or `gradient`, and `name` is the backward op's tensor with the error.
    """

    kind: str
    name: str
    message: str


@analysis
def dtype_troubles(pair: Pair) -> tuple[DtypeTrouble, ...]:
    """Try all combinations of the forward's dtypes, and return the first error of each tensor."""
    found: dict[tuple[str, str], str] = {}
    if _alike(pair):
        return ()
    for row in _rows(pair.forward):
        primals = [
            (p, o)
            for p, o in pair.gradients
            if _floating(_dtype(pair.forward, pair.forward.spec.tensors[p], row))
        ]
        if primals:
            for kind, name, message in _in_row(pair, row, primals):
                found.setdefault((kind, name), message)
    return tuple(DtypeTrouble(*key, message) for key, message in found.items())


def _alike(pair: Pair) -> bool:
    """Return whether the dtype expressions of both ops are equal, so that all dtypes fit.

    If so, the dtypes agree in every call, and no combination of dtypes needs a check.
    """
    ours, theirs = pair.forward, pair.backward
    if ours.dtypes.asking or theirs.dtypes.asking:
        return False
    given: dict[str, Expr] = {}
    derived: list[tuple[Expr, Expr]] = []
    for name, arg in pair.inputs.items():
        dtype, wanted = pair.dtype(arg), theirs.spec.inputs[name].dtype.alone
        if dtype is None or wanted is None:
            return False
        found = ours.dtypes.expression(dtype)
        if wanted not in theirs.free_dtypes:
            derived.append((theirs.dtypes.expression(wanted), found))
        elif given.setdefault(wanted, found) != found:
            return False
        elif not set(ours.scope.choices(dtype)) <= set(theirs.free_dtypes[wanted]):
            return False
    if any(renamed(theirs_is, given) != found for theirs_is, found in derived):
        return False
    outputs = (theirs.spec.outputs[o] for _, o in pair.gradients)
    return all(DTYPES[d].floating for o in outputs for d in theirs.scope.dtypes_of(o))


def _rows(op: OpContext) -> Iterator[Row]:
    """Yield each combination of dtypes that meets the op's requirements.

    A combination has a dtype for each free variable and each dtype attr. It also has the values of
    the attrs, and the presence of the tensors, on which the op's dtype variables depend.
    """
    named = {d for t in op.spec.tensors.values() for d in t.dtype.values()}
    used = {v for d in named for v in op.dtypes.free(d)}
    free: dict[str, Sequence[str | None]] = {v: c for v, c in op.free_dtypes.items() if v in used}
    for name, attr in op.spec.attrs.items():
        if attr.type == "dtype" and name in named:
            free[name] = (*op.scope.choices(name), *([None] if attr.may_be_none else []))
    others = ways(op.scope, [op.dtypes.expression(name) for name in op.dtypes.asking])
    if math.prod(map(len, (*free.values(), others))) > ROWS_AT_MOST:
        return
    for values, other in itertools.product(itertools.product(*free.values()), others):
        row = {**other, **dict(zip(free, values))}
        if all(decide(r, row) is not False for r in op.require):
            yield row


def _dtype(op: OpContext, tensor: TensorSpec, row: Row) -> str | None:
    """Return a tensor's dtype in the combination `row`; None if `row` does not determine it."""
    dtype = _case(op, tensor, row)
    return None if dtype is None else _value(op, dtype, row)


def _case(op: OpContext, tensor: TensorSpec, row: Row) -> str | None:
    """Return the text of a tensor's `dtype` in the spec, for the combination `row`.

    The result may be the name of a dtype variable. Return None if `row` does not determine which
    case of the `dtype` applies.
    """
    for condition, dtype in tensor.dtype.cases:
        holds = condition is None or decide(op.over_free(parse_expr(condition)), row)
        if holds is not False:
            return dtype if holds else None
    return None


def _value(op: OpContext, name: str, row: Row) -> str | None:
    """Return the dtype of `name` in the combination `row`; None if `row` does not determine it.

    `name` is a dtype, a dtype variable or a dtype attr.
    """
    if name in op.spec.attrs:
        dtype = row.get(name)
        return None if dtype is None else str(dtype)
    if any(v in op.free_dtypes and v not in row for v in op.dtypes.free(name)):
        return None
    return op.dtypes.value(name, row)


def _floating(dtype: str | None) -> bool:
    return dtype is None or DTYPES[dtype].floating


def _in_row(pair: Pair, row: Row, primals: list[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    theirs, inputs = pair.backward, pair.backward.spec.inputs
    given: Row = {}
    for name, arg in pair.attrs.items():
        if arg.source in ("attr", "dtype") and theirs.spec.attrs[name].type == "dtype":
            given[name] = _value(pair.forward, arg.of, row)
        elif arg.source == "attr" and arg.of in row:
            given[name] = row[arg.of]
        elif isinstance(arg.expr, Const):
            given[name] = arg.expr.value
        elif arg.source == "absent" and (attr := theirs.spec.attrs.get(name)):
            if attr.late_default is None:
                given[name] = attr.default
    for name, arg in pair.inputs.items():
        if arg.source == "input" and arg.of in row:
            given[name] = row[arg.of]
        elif not inputs[name].absentable:
            given[name] = THERE
        elif arg.source == "absent":
            given[name] = None
    first: dict[str, str] = {}
    for name, arg in pair.inputs.items():
        ours = None
        if arg.source in TENSORS:
            ours = _dtype(pair.forward, pair.forward.spec.tensors[arg.of], row)
        variable = inputs[name].dtype.alone
        if ours is None or variable is None:
            continue
        if arg.source == "cotangent" and not DTYPES[ours].floating:
            continue  # results without a floating dtype are constants, which have no gradient
        if variable in theirs.free_dtypes:
            if ours not in theirs.free_dtypes[variable]:
                yield "argument", name, f"`{name}` of `{theirs.name}` is never {ours}, as it would be{_where(row)}"
            elif str(given.setdefault(variable, ours)) != ours:
                message = (
                    f"`{name}` and `{first[variable]}` of `{theirs.name}` have one dtype, "
                    f"but would get {ours} and {given[variable]}{_where(row)}"
                )
                yield "argument", name, message
            first.setdefault(variable, name)
    for name, arg in pair.inputs.items():
        wanted = _dtype(theirs, inputs[name], given)
        if arg.source not in TENSORS or wanted is None:
            continue
        ours = _dtype(pair.forward, pair.forward.spec.tensors[arg.of], row)
        if inputs[name].dtype.alone not in theirs.free_dtypes and ours not in (None, wanted):
            yield "argument", name, f"`{name}` of `{theirs.name}` is {wanted}, but would get {ours}{_where(row)}"
    for primal, output in primals:
        found = _dtype(theirs, theirs.spec.outputs[output], given)
        if not _floating(found):
            yield "gradient", output, f"`{output}`, the gradient of `{primal}`, is {found}{_where(row)}"


def _where(row: Row) -> str:
    parts = [in_words(name, value) for name, value in row.items()]
    return " where " + " and ".join(parts) if parts else ""
