"""`min` or `max` is not a valid bound of the attr.

This rule checks that only numbers have `min` and `max`. The bounds of an int must be integers,
and `min` must not be greater than `max`.

Why: otherwise the attr would accept no value.

Example:

    attrs.p = { type = "float", min = 1.0, max = 0.0 }

How to fix: swap the bounds, or leave them out.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG313", "bad-range", Stage.NAMES)


def check(op: OpContext) -> Findings:
    for name, attr in op.spec.attrs.items():
        kind = attr.element
        low, high = attr.min, attr.max
        for key, limit in (("min", low), ("max", high)):
            if limit is None:
                continue
            path = ("attrs", name, key)
            if kind not in ("int", "float"):
                yield RULE.at(op.at(path), f"a {kind} has no `{key}`", f"leave `{key}` out")
            elif kind == "int" and not isinstance(limit, int):
                message = f"`{name}` is an int, {limit} is none"
                yield RULE.at(op.at(path), message, "write an int")
        if low is not None and high is not None and low > high:
            where = op.at(("attrs", name, "min"))
            yield RULE.at(where, f"`min`, {low}, is greater than `max`, {high}", "swap them")
