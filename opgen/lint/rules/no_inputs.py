"""An op without inputs.

What it does: checks that an op has an input.

Why: frameworks learn from a tensor where an op runs, how it is batched and how it is split.

Example: a table whose size an attr gives, and that reads nothing.

How to fix: give the op a scalar: `inputs.like = { dtype = "T", shape = "" }`. Its dtype and device
are then those of the result.
"""

from collections.abc import Iterator

from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG332", "no-inputs", Stage.NAMES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    if not op.spec.inputs:
        message = f"`{op.name}` has no input that says where it runs"
        yield RULE.at(
            op.at(()), message, 'add a scalar: `inputs.like = { dtype = "f32", shape = "" }`'
        )
