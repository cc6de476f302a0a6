"""The dims of a group cannot be distinguished from other dims.

This rule determines the number of dims of each group, in every combination of options. Options
are the presence of tensors, bools, attrs with `choices`, and the ranks of inputs. If only one group
of a tensor is unknown, it gets the remaining dims. An input with a list of shapes does not
determine a group.

Why: if two groups are neighbours, nothing marks the end of the first.

Example:

    inputs.x  = { dtype = "T", shape = "*batch *norm" }
    outputs.y = { dtype = "T", shape = "*batch *norm" }

How to fix: add an input whose shape is one of the groups alone, or make one group an attr:
`attrs.norm = { type = "int[]" }`.
"""

from opgen.language.call_variants import where
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.lint.unbound import unbound_in_inputs

RULE = Rule("OG323", "unbound-group", Stage.MEANING)


def check(op: OpContext) -> Findings:
    for u in unbound_in_inputs(op):
        if u.kind == "group":
            yield RULE.at(
                u.place(op),
                f"the rank of `*{u.name}` cannot be learnt from the inputs{where(u.combinations, op.combinations)}",
                f'make it an attr: `attrs.{u.name} = {{ type = "int[]" }}`',
            )
