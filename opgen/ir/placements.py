"""Find how an op may be split: elementwise updates, and the splits that DTensor can express."""

from __future__ import annotations

from typing import Any

from opgen.ir.op import Op
from opgen.language.analysis import analysis
from opgen.language.dtypes import DTYPES
from opgen.language.expr import names_in, substitute
from opgen.language.shapes import parse_shape
from opgen.spec.cases import Cases
from opgen.spec.models.ops import OpSpec
from opgen.spec.models.tensors import TensorSpec


def followed(op: OpSpec) -> str | None:
    """Return the updated input of an elementwise update. Inputs of the same shape are split in the
    same way.

    Return None if the op is not an elementwise update. In an elementwise update, the spec allows
    splitting all dims of the updated input. Every other input has the same shape, or no dim in
    common with it.
    """
    made = op.outputs or op.residuals
    return None if made else next((t.name for t in op.inputs.values() if _leads(op, t)), None)


def _leads(op: OpSpec, lead: TensorSpec) -> bool:
    if not (lead.always_updated and lead.always) or not lead.one_shape:
        return False
    terms = parse_shape(lead.one_shape).terms
    dims = {str(term).removeprefix("*").removesuffix("[i]") for term in terms}
    able = all(dims <= {*split} for split in op.sharding.split.values())
    others = (t for t in op.inputs.values() if (t.forms, t.list) != (lead.forms, lead.list))
    return able and not dims & op.attrs.keys() and all(_apart(t, _names(lead)) for t in others)


def _apart(tensor: TensorSpec, dims: set[str]) -> bool:
    """Return whether a tensor has none of `dims`, so that it can be replicated on all devices."""
    same = all(how == "same" for _, cases in tensor.reduce for how in cases.values())
    return not dims & _names(tensor) and (same or not tensor.updated)


def _names(tensor: TensorSpec) -> set[str]:
    return {name for form in tensor.texts for name in parse_shape(form.text).names}


@analysis
def untold(op: Op) -> str | None:
    """Return the reason why DTensor cannot split this op; None if DTensor can split the op."""
    if op.follow is not None:
        return None
    if any(tensor.list for tensor in op.written):
        return "the op returns a list"
    tensors = (*op.inputs, *op.written)
    cases: tuple[Cases[Any], ...] = (
        op.split,
        *(t.forms for t in tensors),
        *(how for t in tensors for _, how in t.reduce),
    )
    known = {argument.name for argument in op.arguments} | carriers(op).keys() | DTYPES.keys()
    for condition in (each for case in cases for each in case.conditions):
        for name in names_in(substitute(condition, op.asking)):
            if name not in known:
                return f"a condition reads `{name}`, which no argument has"
    return None


def carriers(op: Op) -> dict[str, str]:
    """Return, for each dtype name, the first input with this dtype that is always present."""
    return {d: t.name for t in reversed(op.inputs) if t.always for d in t.dtype.values()}
