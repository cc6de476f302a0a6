"""The dims of a group cannot be distinguished from other dims.

What it does: binds the groups of every combination of presence, enums, bools and forms. A tensor's
only group of unknown rank gets the remaining rank. A shape with several forms does not bind a
group.

Why: if two groups are neighbours, nothing marks the end of the first.

Example:

    inputs.x  = { dtype = "T", shape = "*batch *norm" }
    outputs.y = { dtype = "T", shape = "*batch *norm" }

How to fix: add an input whose shape is one of the groups alone, or make one group an attr:
`attrs.norm = { type = "int[]" }`.
"""

from collections.abc import Iterator

from opgen.language.call_variants import where
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.lint.unbound import unbound_in_inputs
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG323", "unbound-group", Stage.MEANING)


def check(op: OpContext) -> Iterator[Diagnostic]:
    for u in unbound_in_inputs(op):
        if u.kind == "group":
            yield RULE.at(
                u.place(op),
                f"the rank of `*{u.name}` cannot be learnt from the inputs{where(u.combinations, op.combinations)}",
                f'make it an attr: `attrs.{u.name} = {{ type = "int[]" }}`',
            )
