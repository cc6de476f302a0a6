"""A gradient does not have the shape of its input.

This rule simulates calls of the backward with example sizes, and compares shapes. It tries
every combination of the forward's options, and every choice of requested gradients. The options are
the presence of tensors, bools, attrs with `choices`, and the ranks of inputs.

Why: autograd would raise an error at best, and accumulate wrong numbers at worst.

Example:

    outputs.dweight = { dtype = "f32", shape = "*batch", reduce = { batch = "sum" } }

where the forward has `inputs.weight` of shape `*norm`.

How to fix: give the gradient the shape of its input.
"""

from opgen.lint.pairing import pairs
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.lint.simulated_calls import troubles

RULE = Rule("OG412", "gradient-shape", Stage.MEANING)


def check(op: OpContext) -> Findings:
    for pair in pairs(op):
        for trouble in troubles(pair):
            if trouble.kind == "gradient-shape":
                path = ("outputs", trouble.name, "shape")
                yield RULE.at(
                    pair.backward.at(path),
                    trouble.message,
                    "a gradient has the shape of its primal",
                )
