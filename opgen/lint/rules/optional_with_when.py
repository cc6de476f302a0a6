"""A tensor has both `optional` and `when`.

This rule rejects a tensor with both keys.

Why: the keys contradict each other. With `optional` the caller chooses. With `when` the tensor is
present exactly if the condition holds.

Example:

    inputs.scale = { dtype = "f32", shape = "", optional = true, when = "dynamic" }

How to fix: keep one of the keys. If callers may pass the tensor only under a condition, keep
`optional` and add a requirement: `require = ["dynamic or not present(scale)"]`.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG301", "optional-with-when", Stage.NAMES)


def check(op: OpContext) -> Findings:
    for name, tensor in op.spec.tensors.items():
        if tensor.optional and tensor.when is not None:
            yield RULE.at(
                op.at((*tensor.path, "when")),
                f"`{name}` has both `optional` and `when`",
                f'keep `optional` and say when in `require`: "... or not present({name})"',
            )
