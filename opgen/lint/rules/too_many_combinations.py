"""An op has more kinds of calls than can be checked.

What it does: counts the combinations of optional tensors, enums, bools, dtypes and forms that
decide one thing together. Such a thing is a known size, a written output, or an argument of a
backward that fits. At most 8192 are checked. Options that decide nothing together are not combined:
an op may have any number of them.

Why: every other rule about sizes, cases and gradients holds in each of them.

Example: 14 outputs, each with another `when`, and none that is always present.

How to fix: split the op, or replace several options by one attr.
"""

from collections.abc import Iterator

from opgen.language.call_variants import LIMIT
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG319", "too-many-combinations", Stage.TYPES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    if op.too_many is not None:
        yield RULE.at(
            op.at((), "key"),
            f"`{op.name}` has {op.too_many} combinations of options and conditions to check; the limit is {LIMIT}",
            "split the op, or let one attr decide for several tensors",
        )
