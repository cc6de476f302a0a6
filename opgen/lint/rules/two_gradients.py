"""An input gets its gradient twice.

This rule counts the formulas and backwards that compute the gradient of each input.

Why: it would be unclear which gradient is used, and their sum would be twice the gradient.

Example:

    grad.formulas = { x = "dy" }
    grad.backward = "relu_bwd"

where `relu_bwd` also computes `dx`.

How to fix: keep either the formula or the backward. If two backwards compute the gradient, choose
one with `grads`.
"""

from opgen.lint.pairing import pairs
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG411", "two-gradients", Stage.MEANING)


def check(op: OpContext) -> Findings:
    for grad in op.spec.grad.values():
        given = dict.fromkeys(grad.formulas, "a formula")
        for pair in pairs(op):
            if pair.grad is not grad:
                continue
            for primal, output in pair.gradients:
                if primal in given:
                    yield RULE.at(
                        pair.place(output),
                        f"`{primal}` gets its gradient from `{pair.backward.name}` and from {given[primal]}",
                        "keep one",
                    )
                given.setdefault(primal, f"`{pair.backward.name}`")
