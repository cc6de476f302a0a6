"""A residual that no backward reads.

What it does: warns of residuals that are no argument of any of the op's backwards.

Why: it is computed and written for nothing.

Example: `residuals.mean` in an op with `grad = "none"`.

How to fix: drop it, or let the backward read it.
"""

from collections.abc import Iterator

from opgen.lint.expression_contexts import calls_at, grads_of
from opgen.lint.op_context import OpContext
from opgen.lint.pairing import pairs
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic, Severity

RULE = Rule("OG420", "unread-residual", Stage.MEANING, severity=Severity.WARNING)


def check(op: OpContext) -> Iterator[Diagnostic]:
    calls = [c for _, path, grad in grads_of(op.scope) for c in calls_at(path, grad)]
    if len(pairs(op)) < len(calls):
        return
    read = {
        a.of for p in pairs(op) for a in p.inputs.values() if a.source == "residual"
    }
    for table, name, _ in op.scope.entries("residuals"):
        if name not in read:
            message = f"no backward of `{op.name}` reads the residual `{name}`"
            yield RULE.at(op.at((table, name), "key"), message, "drop it")
