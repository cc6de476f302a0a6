"""The spec defines a gradient for an input that cannot have a gradient.

This rule rejects formulas and backwards that compute the gradient of certain inputs. These are
inputs that have `differentiable = false`, are updated in place, or never have a floating dtype.

Why: no caller can request this gradient. Autograd treats the new value of an updated input as a
constant.

Example:

    inputs.x      = { dtype = "T", shape = "*s", update = true }
    grad.formulas = { x = "dy" }

How to fix: remove the gradient.
"""

from opgen.lint.pairing import pairs
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import Diagnostic, Where

RULE = Rule("OG419", "unneeded-gradient", Stage.MEANING)


def check(op: OpContext) -> Findings:
    for grad in op.spec.grad.values():
        for name in grad.formulas:
            if not op.differentiable(name):
                yield _refuse(op, name, op.at((*grad.path, "formulas", name), "key"))
    for pair in pairs(op):
        for primal, output in pair.gradients:
            if not op.differentiable(primal):
                yield _refuse(op, primal, pair.place(output))


def _refuse(op: OpContext, primal: str, where: Where) -> Diagnostic:
    reason = "is updated in place"
    if not op.floating(primal):
        reason = "is never floating"
    elif not op.spec.inputs[primal].differentiable:
        reason = "says `differentiable = false`"
    message = f"`{primal}` {reason}: it has no gradient"
    return RULE.at(where, message, "leave the gradient out")
