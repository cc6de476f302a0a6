"""A default that its attr refuses.

What it does: a default is of the attr's type, one of its `choices`, within `min` and `max`,
and, for `int[2]`, of that length.

Why: a call that leaves the attr out would be refused.

Example:

    attrs.mode = { type = "str", default = "avg", choices = ["sum", "mean"] }

How to fix: correct the default, or what the attr allows.
"""

from collections.abc import Iterator, Mapping

from opgen.lint.attrs import items_of, kind_of, length_of, literal
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic, did_you_mean

RULE = Rule("OG311", "bad-default", Stage.NAMES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    for name, attr in op.scope.attrs.items():
        if "default" in attr and not _expression(attr):
            found = _problem(attr, attr["default"])
            if found:
                yield RULE.at(op.at(("attrs", name, "default")), *found)


def _expression(attr: Mapping) -> bool:
    return isinstance(attr["default"], str) and attr["type"] not in ("str", "dtype")


def _problem(attr: Mapping, default: object) -> tuple[str, str] | None:
    items = items_of(attr, default)
    if items is None or not all(literal(attr, item) for item in items):
        return f"the default is no {attr['type']}", f"write a {kind_of(attr)}"
    length = length_of(attr)
    if length is not None and len(items) != length:
        return f"the default has {len(items)} items, not {length}", ""
    for item in items:
        if "choices" in attr and item not in attr["choices"]:
            known = map(str, attr["choices"])
            return f"the default `{item}` is not among the choices", did_you_mean(str(item), known)  # fmt: skip
        if "min" in attr and kind_of(attr) in ("int", "float") and item < attr["min"]:
            return f"the default {item} is less than `min`, {attr['min']}", ""
        if "max" in attr and kind_of(attr) in ("int", "float") and item > attr["max"]:
            return f"the default {item} is greater than `max`, {attr['max']}", ""
    return None
