"""A gradient reads the cotangent of a constant output.

This rule rejects formulas and backwards' arguments that read the cotangent of a constant
output. An output is constant if its dtype is never floating, or if it has `differentiable = false`.

Why: autograd treats such an output as a constant, so there is no cotangent.

Example:

    outputs.ids   = { dtype = "i64", shape = "*s" }
    grad.formulas = { x = "dids" }

How to fix: remove the cotangent, or give the output a floating dtype.
"""

from opgen.language.expr import names_in
from opgen.lint.expression_contexts import span_of
from opgen.lint.pairing import pairs
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import Diagnostic, Where

RULE = Rule("OG422", "constant-cotangent", Stage.MEANING, overrulable=True)


def check(op: OpContext) -> Findings:
    constants = {
        name: ("says `differentiable = false`" if floating else "is never floating")
        for name, tensor in op.spec.outputs.items()
        if not (floating := op.floating(name)) or not tensor.differentiable
    }
    for site in op.sites if constants else ():
        for name in names_in(site.expr) if site.sees == "formula" else ():
            if op.cotangents.get(name) in constants and name not in op.types:
                where = span_of(op, site, name)
                yield _refuse(op.cotangents[name], constants, where)
    for pair in pairs(op) if constants else ():
        for name, given in pair.inputs.items():
            if given.source == "cotangent" and given.of in constants:
                yield _refuse(given.of, constants, pair.place(name))


def _refuse(output: str, constants: dict[str, str], where: Where) -> Diagnostic:
    message = f"`{output}` {constants[output]}: it has no cotangent"
    return RULE.at(where, message, "a constant's cotangent is not there to be read")
