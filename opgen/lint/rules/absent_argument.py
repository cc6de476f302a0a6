"""A backward needs an argument that the forward lacks in some call, or refuses one that it has.

What it does: calls the backward in every combination of the forward's presence, enums, bools and
forms. It checks that required arguments are present, and that no `when` refuses an argument.

Why: differentiating such a call would fail.

Example:

    residuals.count = { dtype = "f32", shape = "", when = "reduction == 'mean'" }

and in the backward, for every reduction:

    inputs.count = { dtype = "f32", shape = "" }

How to fix: give the backward's argument the same `when`, make the argument `optional`, or refuse
the gradient with `grad.require`. An `optional` argument is passed whenever the forward has it.
"""

from collections.abc import Iterator

from opgen.lint.op_context import OpContext
from opgen.lint.pairing import pairs
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG405", "absent-argument", Stage.MEANING)


def check(op: OpContext) -> Iterator[Diagnostic]:
    for pair in pairs(op):
        for trouble in pair.troubles:
            name = trouble.name
            if trouble.kind == "absent-argument":
                yield RULE.at(
                    pair.place(name),
                    f"`{pair.backward.name}` needs `{name}`, but {trouble.message}",
                    f"give `{pair.backward.name}`'s `{name}` the same condition",
                )
            if trouble.kind == "unwanted-argument":
                yield RULE.at(
                    pair.place(name),
                    f"`{pair.backward.name}` refuses `{name}` by its `when`, "
                    f"but the forward passes {trouble.message}",
                    "write `optional = true` instead of the `when`",
                )
