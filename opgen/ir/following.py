"""Find elementwise updates: ops that only update tensors in place, and can run on any slice of
them.
"""

from __future__ import annotations

from opgen.language.shapes import parse_shape
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
