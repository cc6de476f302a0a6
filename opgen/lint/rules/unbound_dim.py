"""No input determines the size of a dim.

This rule determines the dims in the way that a call does, in every combination of options.
Options are the presence of tensors, bools, attrs with `choices`, and the ranks of inputs. A term of
a shape determines its only unknown name if the term is linear in this name.

Why: every wrapper computes the sizes of results from its arguments.

Example:

    inputs.dy  = { dtype = "T", shape = "n k p" }
    inputs.x   = { dtype = "T", shape = "n (h-2)//2" }

How to fix: use the name alone or in a linear term of a shape (`2*d`, `b+1`, `hk*g`), or make the
dim an attr: `attrs.h = { type = "int" }`.
"""

from opgen.language.call_variants import where
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.lint.unbound import unbound_in_inputs

RULE = Rule("OG322", "unbound-dim", Stage.MEANING)


def check(op: OpContext) -> Findings:
    op.sizes.every()  # only to report an op for which this takes too much work
    for u in unbound_in_inputs(op):
        if u.kind == "dim":
            yield RULE.at(
                u.place(op),
                f"the size of `{u.name}` cannot be learnt from the inputs{where(u.combinations, op.combinations)}",
                f'make it an attr: `attrs.{u.name} = {{ type = "int" }}`',
            )
