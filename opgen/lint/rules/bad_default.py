"""The default of an attr is not a valid value of the attr.

This rule checks that a default has the attr's type, is one of its `choices`, and is within
`min` and `max`. The default of an `int[2]` must have two elements.

Why: otherwise every call that omits this attr would raise an error.

Example:

    attrs.mode = { type = "str", default = "avg", choices = ["sum", "mean"] }

How to fix: correct the default, or allow the value.
"""

import json

from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean
from opgen.spec.models.attrs import AttrSpec

RULE = Rule("OG311", "bad-default", Stage.NAMES)


def check(op: OpContext) -> Findings:
    for name, attr in op.spec.attrs.items():
        if attr.default is not None and attr.late_default is None:
            found = _problem(attr, attr.default)
            if found:
                yield RULE.at(op.at(("attrs", name, "default")), *found)


def _problem(attr: AttrSpec, default: object) -> tuple[str, str] | None:
    items = attr.items(default)
    if items is None:
        whole = attr.type == "int" and type(default) is float
        return (
            f"the default {json.dumps(default, default=str):.40} is no {attr.type}",
            'write an int, or say `type = "float"`' if whole else f"write {attr.kind.words}",
        )
    if attr.length not in (None, len(items)):
        return f"the default has {len(items)} items, not {attr.length}", ""
    ranged = attr.element in ("int", "float")
    for item in items:
        if attr.choices is not None and item not in attr.choices:
            known = map(str, attr.choices)
            return f"the default `{item}` is not among the choices", did_you_mean(str(item), known)
        if ranged and attr.min is not None and item < attr.min:
            return f"the default {item} is less than `min`, {attr.min}", ""
        if ranged and attr.max is not None and item > attr.max:
            return f"the default {item} is greater than `max`, {attr.max}", ""
    return None
