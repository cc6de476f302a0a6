"""An op has no inputs.

This rule checks that an op has at least one input.

Why: the input tensors determine the device of a call, its batching and its sharding.

Example: an op that computes a table from an attr, and reads no tensor.

How to fix: add a scalar input: `inputs.like = { dtype = "T", shape = "" }`. The result then gets
the dtype and the device of this scalar.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG332", "no-inputs", Stage.NAMES)


def check(op: OpContext) -> Findings:
    if not op.spec.inputs:
        message = f"`{op.name}` has no input that says where it runs"
        yield RULE.at(
            op.at(()), message, 'add a scalar: `inputs.like = { dtype = "f32", shape = "" }`'
        )
