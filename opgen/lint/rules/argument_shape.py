"""An argument of a backward does not have the shape that the backward declares.

What it does: calls the backward, with numbers for sizes, in every combination of the
forward, and binds its inputs' shapes.

Why: the backward would refuse the call.

Example: a forward with `residuals.rstd` of shape `*batch` whose backward reads it as
`*batch d`.

How to fix: give both the same shape.
"""

from collections.abc import Iterator

from opgen.lint.op_context import OpContext
from opgen.lint.pairing import pairs
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG406", "argument-shape", Stage.MEANING)


def check(op: OpContext) -> Iterator[Diagnostic]:
    for pair in pairs(op):
        for trouble in pair.troubles:
            if trouble.kind == "argument-shape":
                yield RULE.at(
                    pair.place(trouble.name),
                    trouble.message,
                    "give both the same shape, or pass something else in `args`",
                )
