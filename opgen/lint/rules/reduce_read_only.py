"""A `reduce` is on an input that is only read.

This rule allows `reduce` only on outputs, residuals and updated inputs.

Why: a reduction combines the values that the devices write.

Example:

    inputs.weight = { dtype = "T", shape = "d", reduce = { batch = "sum" } }

How to fix: move the `reduce` to a tensor that the op writes, usually the gradient:
`outputs.dweight.reduce`.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG304", "reduce-read-only", Stage.NAMES)


def check(op: OpContext) -> Findings:
    for name, tensor in op.spec.inputs.items():
        if tensor.reduce and not tensor.updated:
            yield RULE.at(
                op.at((*tensor.path, "reduce"), "key"),
                f"`{name}` is only read: there is nothing to reduce",
                "`reduce` belongs to what is written",
            )
