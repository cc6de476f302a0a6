"""A group's dims cannot be told from the others.

What it does: binds the groups of every combination of presence, enums, bools and forms. A tensor's
only group of unknown rank takes the remaining rank; forms bind no group.

Why: if two groups are neighbours, nothing marks the end of the first.

Example:

    inputs.x  = { dtype = "T", shape = "*batch *norm" }
    outputs.y = { dtype = "T", shape = "*batch *norm" }

How to fix: let another input hold one of them alone, or make it an attr:
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
