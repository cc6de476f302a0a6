"""The rules, one module each: `check(old, new)` gives (path below the op, message) pairs."""

from opgen.diff.rule import Rule
from opgen.diff.rules import (
    attrs,
    defaults,
    descriptor_layout,
    dtypes,
    gradient,
    input_order,
    kernel_arguments,
    names,
    result_order,
    saved_tensors,
    shapes,
    sharding,
)

# Looks at all ops, not at a pair of them: `opgen.diff.compare` checks it.
OP_REMOVED = Rule("OG911", "op-removed", "GRAPH")

OP_REMOVED_DOC = """An op is gone.

What it does: every op that was there must still be there, under its name.

Why: saved programs and imports name it.

How to fix: keep it and mark it `deprecated`; or accept the break.
"""

MODULES = (
    descriptor_layout,
    kernel_arguments,
    input_order,
    attrs,
    saved_tensors,
    result_order,
    names,
    defaults,
    dtypes,
    shapes,
    gradient,
    sharding,
)
