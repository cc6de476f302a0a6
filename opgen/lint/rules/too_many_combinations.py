"""An op may be called in more ways than can be checked.

What it does: counts the combinations of optional tensors, enums, bools, dtypes and forms
that decide which tensors are there and what they look like; at most 8192 are checked.

Why: every other rule about sizes, cases and gradients holds in each of them.

Example: an op with 13 optional inputs.

How to fix: split the op, or let one attr decide what now are several options.
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
