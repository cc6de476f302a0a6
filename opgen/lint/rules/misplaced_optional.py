"""An output is `optional`, but its op is nobody's backward.

What it does: allows `optional` on outputs only in ops that some op names as a backward, and in
stages.

Why: an optional output is computed only if its gradient is asked for; nobody asks a caller
of a forward which results he wants.

Example:

    [ops.norm]
    outputs.rstd = { dtype = "f32", shape = "*batch", optional = true }

How to fix: name the op in the `grad.backward` of its forward. In a forward, give the output a `when`
with a bool attr, or make it a residual.
"""

from collections.abc import Iterator

from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG303", "misplaced-optional", Stage.MEANING)


def check(op: OpContext) -> Iterator[Diagnostic]:
    if op.project.broken or op.project.failed:
        return  # a mistake in a `grad` may be the reason
    if op.name in op.project.backwards or op.name in op.project.stages:
        return
    for name, tensor in op.spec.outputs.items():
        if tensor.optional:
            yield RULE.at(
                op.at((*tensor.path, "optional")),
                f"`{name}` is optional, but `{op.name}` is no op's backward",
                "name it in the `grad.backward` of its forward; in a forward, `when` on a bool attr decides",
            )
