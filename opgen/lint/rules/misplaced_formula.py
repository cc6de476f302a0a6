"""A formula belongs to an input that has no gradient.

This rule checks that each key of `grad.formulas` is an input that may have a floating dtype.

Why: only floating inputs have gradients.

Example:

    inputs.ids    = { dtype = "i64", shape = "n" }
    grad.formulas = { ids = "0" }

How to fix: remove the formula; an integer input does not need a formula.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean

RULE = Rule("OG415", "misplaced-formula", Stage.TYPES)


def check(op: OpContext) -> Findings:
    inputs = op.spec.inputs
    for grad in op.spec.grad.values():
        for name in grad.formulas:
            where = op.at((*grad.path, "formulas", name), "key")
            if name not in inputs:
                message = f"`{name}` is no input"
                yield RULE.at(where, message, did_you_mean(name, inputs))
            elif not op.floating(name):
                message = f"`{name}` is never floating: it has no gradient"
                yield RULE.at(where, message, "leave the formula out")
