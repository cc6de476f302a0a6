"""An output is `optional`, but its op is not a backward.

This rule allows `optional` outputs only in stages, and in ops that another op names in
`grad.backward`.

Why: an op computes an optional output only if the gradient is needed. A caller of a forward cannot
choose results.

Example:

    [ops.norm]
    outputs.rstd = { dtype = "f32", shape = "*batch", optional = true }

How to fix: name the op in the `grad.backward` of its forward. In a forward, give the output a
`when` with a bool attr, or make it a residual.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG303", "misplaced-optional", Stage.MEANING)


def check(op: OpContext) -> Findings:
    if op.project.broken or op.project.failed:
        return  # the forward may be an op with errors, whose `grad` is unknown
    if op.name in op.project.backwards or op.name in op.project.stages:
        return
    for name, tensor in op.spec.outputs.items():
        if tensor.optional:
            yield RULE.at(
                op.at((*tensor.path, "optional")),
                f"`{name}` is optional, but `{op.name}` is no op's backward",
                "name it in the `grad.backward` of its forward; in a forward, `when` on a bool attr decides",
            )
