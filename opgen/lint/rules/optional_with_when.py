"""A tensor has both `optional` and `when`.

What it does: refuses the two together.

Why: `optional` leaves the choice to the caller, `when` takes it away: the tensor is there
exactly when the condition holds.

Example:

    inputs.scale = { dtype = "f32", shape = "", optional = true, when = "dynamic" }

How to fix: keep one. If it may be given under a condition only, keep `optional` and add a
requirement: `require = ["dynamic or not present(scale)"]`.
"""

from collections.abc import Iterator

from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG301", "optional-with-when", Stage.NAMES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    for name, tensor in op.spec.tensors.items():
        if tensor.optional and tensor.when is not None:
            yield RULE.at(
                op.at((*tensor.path, "when")),
                f"`{name}` has both `optional` and `when`",
                f'keep `optional` and say when in `require`: "... or not present({name})"',
            )
