"""A reduction that its tensor cannot have.

What it does: `local` is for residuals only; `mean` needs a floating dtype.

Why: with `local` each shard keeps its own value, which nobody but the backward on the same
shard may see; a mean of integers is not one.

Example:

    outputs.count = { dtype = "i64", shape = "", reduce = { batch = "mean" } }

How to fix: `"sum"`, or `"same"` where every shard computes the same value.
"""

from collections.abc import Iterator

from opgen.language.scope import cases_of
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG506", "bad-reduction", Stage.TYPES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    for table, tensor, entry in op.scope.entries():
        for name, reduction in entry.get("reduce", {}).items():
            path = (table, tensor, "reduce", name)
            for condition, kind in cases_of(reduction):
                key = (condition or "else",) if isinstance(reduction, dict) else ()
                where = op.at((*path, *key))
                if kind == "local" and table != "residuals":
                    message = f"`{tensor}` is no residual: others see it"
                    yield RULE.at(where, message, "`local` is for residuals")
                elif kind == "mean" and not op.floating(tensor):
                    message = f"`{tensor}` is never floating: it has no mean"
                    yield RULE.at(where, message, 'use "sum"')
