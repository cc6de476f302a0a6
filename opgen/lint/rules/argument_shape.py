"""An argument of a backward does not have the shape that the backward declares.

This rule simulates calls of the backward with example sizes, in every combination of the
forward's options. The shapes of the arguments must fit the shapes of the backward's inputs.

Why: the call of the backward would raise an error.

Example: a forward has `residuals.rstd` of shape `*batch`, but its backward has `inputs.rstd` of
shape `*batch d`.

How to fix: give both tensors the same shape.
"""

from opgen.lint.pairing import pairs
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.lint.simulated_calls import troubles

RULE = Rule("OG406", "argument-shape", Stage.MEANING)


def check(op: OpContext) -> Findings:
    for pair in pairs(op):
        for trouble in troubles(pair):
            if trouble.kind == "argument-shape":
                yield RULE.at(
                    pair.place(trouble.name),
                    trouble.message,
                    "give both the same shape, or pass something else in `args`",
                )
