"""An argument of a backward has another shape than the backward takes.

What it does: calls the backward, with numbers for sizes, in every combination of the
forward, and binds its inputs' shapes.

Why: the backward's front door would refuse the call.

Example: a forward with `residuals.rstd` of shape `*batch` whose backward reads it as
`*batch d`.

How to fix: give both the same shape.
"""

from collections.abc import Iterator

from opgen.diagnostics import Diagnostic
from opgen.lint.rule import Rule, Stage
from opgen.lint.subject import Subject

RULE = Rule("OG406", "argument-shape", Stage.MEANING)


def check(op: Subject) -> Iterator[Diagnostic]:
    for pair in op.pairs:
        for trouble in pair.troubles:
            if trouble.kind == "argument-shape":
                yield RULE.at(
                    pair.place(trouble.name),
                    trouble.message,
                    "give both the same shape, or pass something else in `args`",
                )
