"""In some call, the forward lacks an argument of the backward, or passes a forbidden argument.

This rule simulates calls of the backward in every combination of the forward's options. The
options are the presence of tensors, bools, attrs with `choices`, and the ranks of inputs. The rule
checks that required arguments are present, and that no `when` of the backward forbids an argument
that the forward passes.

Why: differentiating such a call would fail.

Example:

    residuals.count = { dtype = "f32", shape = "", when = "reduction == 'mean'" }

and in the backward, for every reduction:

    inputs.count = { dtype = "f32", shape = "" }

How to fix: give the backward's argument the same `when`, or make the argument `optional`. opgen
passes an `optional` argument in all calls in which the forward has it. Or use `grad.require`, so
that calls without the argument have no gradient.
"""

from opgen.lint.pairing import pairs
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.lint.simulated_calls import troubles

RULE = Rule("OG405", "absent-argument", Stage.MEANING)


def check(op: OpContext) -> Findings:
    for pair in pairs(op):
        for trouble in troubles(pair):
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
