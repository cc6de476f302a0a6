"""`sharding.follow` names a tensor whose placement the others cannot take.

What it does: the followed tensor is an updated input that every call has, of one shape. Each of its
dims may be split and is not an attr. Every other input has the same shape, or none of
its dims. An updated one of the latter kind has `reduce = "same"`. The op has no outputs and no
residuals.

Why: the op then runs on any elements that a device holds. That is right if each element depends
only on those at its own position.

Example:

    inputs.param    = { dtype = "T", shape = "m n", update = true }
    inputs.grad     = { dtype = "T", shape = "m n" }
    sharding.split  = ["m"]
    sharding.follow = "param"

How to fix: split all dims (`["m", "n"]`, or `*s` for any number of them), or drop `follow` from an
op that is not elementwise.
"""

from collections.abc import Iterator

from opgen.language.shapes import parse_shape
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic, did_you_mean
from opgen.spec.models.tensors import TensorSpec

RULE = Rule("OG509", "bad-follow", Stage.TYPES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    name = op.spec.sharding.follow
    if name is not None:
        problem = _lead(op, name) or next(_others(op, name), None)
        if problem:
            yield RULE.at(op.at(("sharding", "follow")), *problem)


def _lead(op: OpContext, name: str) -> tuple[str, str] | None:
    """Check the followed tensor: the fault and its fix, or None."""
    inputs, sharding = op.spec.inputs, op.spec.sharding
    if name not in inputs:
        return f"`{name}` is no input of `{op.name}`", did_you_mean(name, inputs)
    lead = inputs[name]
    if not lead.always_updated:
        help = "follow what the op writes in place: `update = true`"
        return f"`{name}` is not updated", help
    if not lead.always:
        return f"`{name}` is not there in every call", "follow one that is"
    if lead.one_shape is None:
        return f"`{name}` has several shapes", "follow a tensor of one shape"
    for term in parse_shape(lead.one_shape).terms:
        dim = str(term).removeprefix("*").removesuffix("[i]")
        for split in sharding.split.values():
            if dim not in split or dim in op.spec.attrs:
                message = f"`{name}` may be split along any dim, and `{dim}` may not"
                return message, "name all its dims in `split`"
    return None


def _others(op: OpContext, name: str) -> Iterator[tuple[str, str]]:
    """Faults of the tensors that are to follow it."""
    lead = op.spec.inputs[name]
    names = _names(lead)
    for tensor in op.spec.tensors.values():
        if tensor.table == "workspace":
            continue
        if tensor.table != "inputs":
            message = f"`{tensor.name}` is made anew, which `follow` has no placement for"
            yield message, "write the result into an input: `update = true`"
        elif (tensor.forms, tensor.list) == (lead.forms, lead.list):
            continue
        elif names & _names(tensor):
            message = f"`{tensor.name}` has dims of `{name}`, and another shape"
            yield message, f"give it the shape of `{name}`, or drop `follow`"
        elif tensor.updated and not _same(tensor):
            message = f"`{tensor.name}` is reduced over what the devices hold"
            yield message, '`reduce` can only be "same"'


def _same(tensor: TensorSpec) -> bool:
    """True if every device computes the same values of a tensor."""
    return all(how == "same" for _, cases in tensor.reduce for how in cases.values())


def _names(tensor: TensorSpec) -> set[str]:
    return {name for form in tensor.texts for name in parse_shape(form.text).names}
