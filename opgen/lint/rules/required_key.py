"""An op lacks a required key.

This rule resolves `like`, and then checks that an op has `doc`, `grad`, `sharding` and
`kernels`. Every tensor must have a `dtype` and a `shape`, and every attr a `type`. Every
descriptor field must have a `type` and a `value`, and every backward call an `op`.

Why: a spec must declare how an op is differentiated, sharded and run on other platforms. opgen
does not guess.

Example: an op without `sharding`.

How to fix: add the key. `grad = "none"` and `sharding = "replicate"` are valid values.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import Path

RULE = Rule("OG101", "required-key", Stage.STRUCTURE)

OF_AN_OP = {
    "doc": 'say what it computes: `doc = "Elementwise `-x`."`',
    "grad": 'name its `backward` or `formulas`, or say `grad = "none"`',
    "sharding": 'name what may be split, or say `sharding = "replicate"`',
    "kernels": 'name the platforms that have one: `kernels = ["cpu"]`',
}


def check(op: OpContext) -> Findings:
    for key in op.spec.lacking:
        yield RULE.at(op.at((key,)), f"`{op.name}` has no `{key}`", OF_AN_OP[key])
    for tensor in op.spec.tensors.values():
        yield from _lacking(op, tensor.path, dtype=bool(tensor.dtype), shape=bool(tensor.forms))
    for name, attr in op.spec.attrs.items():
        yield from _lacking(op, ("attrs", name), type=attr.type != "")
    for name, field in op.spec.descriptor.items():
        path = ("descriptor", name)
        yield from _lacking(op, path, type=field.type is not None, value=field.value is not None)
    for grad in op.spec.grad.values():
        for call in grad.calls:
            yield from _lacking(op, call.place, op=call.op != "")
        if grad.misplaced:
            where = op.at((*grad.path, "formulas"), "key")
            yield RULE.at(
                where,
                "`formulas` has no formula for an input",
                'write `grad.formulas = { x = "dy" }`',
            )
        if grad.kind == "rules" and not {"formulas", "backward"} & {*grad.given}:
            message = "`grad` has neither `backward` nor `formulas`"
            yield RULE.at(op.at(grad.path), message, OF_AN_OP["grad"])


def _lacking(op: OpContext, path: Path, /, **given: bool) -> Findings:
    for key, there in given.items():
        if not there:
            message = f"`{path[-1]}` has no `{key}`"
            yield RULE.at(op.at((*path, key)), message, f"add `{key}`")
