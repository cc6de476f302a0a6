"""`sharding.follow` names a tensor whose placement the others cannot take.

What it does: what is followed is an updated input that every call has, of one shape, each
dim of which may be split (and has no unit, and is no attr). Every other input has the same
shape, or none of its dims; of the latter, what is updated has `reduce = "same"`. The op has
no outputs and no residuals.

Why: the op then runs on whatever elements a device holds. That is right if each element is
computed from those at its own place alone.

Example:

    inputs.param    = { dtype = "T", shape = "m n", update = true }
    inputs.grad     = { dtype = "T", shape = "m n" }
    sharding.split  = ["m"]
    sharding.follow = "param"

How to fix: split all dims (`["m", "n"]`, or `*s` for any number of them); drop `follow` from
an op that is not elementwise.
"""

from collections.abc import Iterator

from opgen.language.scope import Table, cases_of, shapes_of
from opgen.language.shapes import Shape, parse_shape
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic, did_you_mean

RULE = Rule("OG509", "bad-follow", Stage.TYPES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    name = op.scope.section("sharding").get("follow")
    if name is not None:
        problem = _lead(op, name) or next(_others(op, name), None)
        if problem:
            yield RULE.at(op.at(("sharding", "follow")), *problem)


def _lead(op: OpContext, name: str) -> tuple[str, str] | None:
    """What is wrong with the tensor that is followed."""
    inputs = op.scope.section("inputs")
    if name not in inputs:
        return f"`{name}` is no input of `{op.name}`", did_you_mean(name, inputs)
    entry = inputs[name]
    if entry.get("update") is not True:
        help = "follow what the op writes in place: `update = true`"
        return f"`{name}` is not updated", help
    if entry.get("optional") or "when" in entry:
        return f"`{name}` is not there in every call", "follow one that is"
    if not isinstance(entry["shape"], str):
        return f"`{name}` has several shapes", "follow a tensor of one shape"
    sharding = op.scope.section("sharding")
    for term in parse_shape(entry["shape"]).terms:
        dim = str(term).removeprefix("*").removesuffix("[i]")
        for _, split in cases_of(sharding.get("split", [])):
            if dim not in split or dim in sharding.get("unit", {}) or dim in op.scope.attrs:  # fmt: skip
                message = f"`{name}` may be split along any dim, and `{dim}` may not"
                return message, "name all its dims in `split`, without a unit"
    return None


def _others(op: OpContext, name: str) -> Iterator[tuple[str, str]]:
    """What is wrong with the tensors that are to follow it."""
    lead = op.scope.section("inputs")[name]
    names = _names(lead)
    for table, tensor, entry in op.scope.entries("inputs", "outputs", "residuals"):
        if table != "inputs":
            message = f"`{tensor}` is made anew, which `follow` has no placement for"
            yield message, "write the result into an input: `update = true`"
        elif _form(entry) == _form(lead):
            continue
        elif names & _names(entry):
            message = f"`{tensor}` has dims of `{name}`, and another shape"
            yield message, f"give it the shape of `{name}`, or drop `follow`"
        elif entry.get("update") and not _same(entry):
            message = f"`{tensor}` is reduced over what the devices hold"
            yield message, '`reduce` can only be "same"'


def _same(entry: Table) -> bool:
    """Whether every device computes the same of a tensor."""
    kinds = (kind for how in entry.get("reduce", {}).values() for _, kind in cases_of(how))  # fmt: skip
    return all(kind == "same" for kind in kinds)


def _form(entry: Table) -> tuple[object, object]:
    return entry["shape"], entry.get("list")


def _names(entry: Table) -> set[str]:
    shapes: Iterator[Shape] = (parse_shape(text) for _, text in shapes_of(entry))
    return {name for shape in shapes for name in shape.names}
