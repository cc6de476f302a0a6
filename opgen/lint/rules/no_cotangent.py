"""A call of a backward does not pass a cotangent (the gradient with respect to an output).

This rule checks that every call to a backward passes the cotangent of at least one output.

Why: a gradient is linear in the cotangents, so a gradient that does not depend on any cotangent is
wrong.

Example:

    grad.backward = { op = "dropout", args = { x = "y" }, grads = { x = "y" } }

How to fix: pass the cotangent: `args = { x = "dy" }`.
"""

from opgen.lint.pairing import pairs
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG423", "no-cotangent", Stage.MEANING, overrulable=True)


def check(op: OpContext) -> Findings:
    for pair in pairs(op):
        sources = {argument.source for argument in pair.inputs.values()}
        if sources <= {"input", "output", "residual"}:
            known = " or ".join(f"`{c}`" for c in op.cotangents)
            yield RULE.at(
                op.at(pair.path),
                f"`{pair.backward.name}` is given no cotangent of `{op.name}`",
                f"pass {known} in `args`",
            )
