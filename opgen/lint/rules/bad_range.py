"""`min` and `max` of something that has none, or the wrong way round.

What it does: `min` and `max` belong to numbers, are whole for ints, and `min` is not the
greater.

Why: otherwise no value would be accepted.

Example:

    attrs.p = { type = "float", min = 1.0, max = 0.0 }

How to fix: swap them, or leave them out.
"""

from collections.abc import Iterator

from opgen.lint.attrs import kind_of
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG313", "bad-range", Stage.NAMES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    for name, attr in op.scope.attrs.items():
        kind = kind_of(attr)
        for key in ("min", "max"):
            if key not in attr:
                continue
            where = op.at(("attrs", name, key))
            if kind not in ("int", "float"):
                yield RULE.at(where, f"a {kind} has no `{key}`", f"leave `{key}` out")
            elif kind == "int" and not isinstance(attr[key], int):
                message = f"`{name}` is an int, {attr[key]} is none"
                yield RULE.at(where, message, "write an int")
        low, high = attr.get("min"), attr.get("max")
        if low is not None and high is not None and low > high:
            where = op.at(("attrs", name, "min"))
            yield RULE.at(where, f"`min`, {low}, is greater than `max`, {high}", "swap them")  # fmt: skip
