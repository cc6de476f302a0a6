"""`grads` has an entry that is not an input of the forward, or not an output of the backward.

This rule looks up both sides of every entry of `grads`.

Why: an entry must connect an input of the forward with the result that is its gradient.

Example:

    grad.backward = { op = "rotary", grads = { qq = "q_out" } }

How to fix: write an input of this op as the key, and an output of the backward as the value.
"""

from opgen.lint.pairing import pairs
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean

RULE = Rule("OG409", "unknown-gradient", Stage.TYPES)


def check(op: OpContext) -> Findings:
    for pair in pairs(op):
        inputs = op.spec.inputs
        outputs = pair.backward.spec.outputs
        for primal, output in pair.call.grads.items():
            path = (*pair.call.place, "grads", primal)
            if primal not in inputs:
                message = f"`{op.name}` has no input `{primal}`"
                yield RULE.at(op.at(path, "key"), message, did_you_mean(primal, inputs))
            if output not in outputs:
                message = f"`{pair.backward.name}` has no output `{output}`"
                yield RULE.at(op.at(path), message, did_you_mean(output, outputs))
