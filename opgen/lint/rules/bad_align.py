"""An `align` is not a valid alignment.

This rule checks that `align` is a power of two, at most 4096 bytes, and at least the size of
an element.

Why: allocators align to powers of two.

Example:

    inputs.x = { dtype = "T", shape = "*s", align = 12 }

How to fix: use a power of two, such as 16, 32, 64 or 128.
"""

from opgen.language.dtypes import DTYPES
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG309", "bad-align", Stage.TYPES, overrulable=True)


def check(op: OpContext) -> Findings:
    for tensor in op.spec.tensors.values():
        align = tensor.align
        if align is None:
            continue
        where = op.at((*tensor.path, "align"))
        dtypes = op.scope.dtypes_of(tensor)
        element = max((-(-DTYPES[d].bits // 8) for d in dtypes), default=1)
        if align & (align - 1) or align > 4096:
            message = f"{align} is not an alignment"
            yield RULE.at(where, message, "use a power of two up to 4096")
        elif align < element:
            message = f"{align} bytes are less than one element, which takes {element}"
            yield RULE.at(where, message, f"align to at least {element}")
