"""An op has more combinations of options than opgen can check.

This rule counts the combinations of options on which one question about the op depends. Options
are the presence of tensors, bools, attrs with `choices`, dtypes, and the ranks of inputs. For
example, one question is whether a size is known, an output is written, or an argument fits a
backward. opgen checks at most 8192 combinations. It does not combine independent options, so an op
may have any number of them.

Why: opgen must check every rule about sizes, cases and gradients in each combination.

Example: 14 outputs, each with a different `when`, and no output that is always present.

How to fix: split the op, or replace several options by one attr.
"""

from opgen.language.call_variants import LIMIT
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG319", "too-many-combinations", Stage.TYPES)


def check(op: OpContext) -> Findings:
    if op.too_many is not None:
        yield RULE.at(
            op.at((), "key"),
            f"`{op.name}` has {op.too_many} combinations of options and conditions to check; the limit is {LIMIT}",
            "split the op, or let one attr decide for several tensors",
        )
