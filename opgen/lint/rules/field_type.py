"""The C type of a descriptor field cannot hold the field's value.

This rule compares the type of each field with its value. `i32` and `i64` hold ints, bools,
dtype codes, and attrs with `choices` (as the position of the value). `f32` and `f64` hold numbers,
`bool` holds bools, and `dtype` holds dtypes. An array holds a list.

Why: Python packs the values into a C struct, and C++ reads this struct.

Example:

    descriptor.n1 = { type = "i32", value = "m / 2" }

How to fix: use `//` to divide ints, and `prod(batch)` to turn a group into a number.
"""

from opgen.language.expr import Expr, Name
from opgen.language.expr.types import WORDS, type_of
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.spec.attr_types import FIELD_TYPES

RULE = Rule("OG605", "field-type", Stage.MEANING)


def check(op: OpContext) -> Findings:
    for site in op.sites:
        if site.path[0] != "descriptor":
            continue
        declared = op.spec.descriptor[str(site.path[1])].type or ""
        base, array, _ = declared.partition("[")
        found = type_of(site.expr, lambda name: op.lookup(site, name))
        if found == "str" and _enum(op, site.expr):
            found = "enum"
        kind = FIELD_TYPES[base]
        allowed = kind.lists if array else kind.holds
        if found is not None and found not in allowed:
            words = WORDS.get(found, found)
            yield RULE.at(
                op.at(site.path),
                f"a field of type {declared} cannot hold {words}",
                _help(found, bool(array)),
            )


def _enum(op: OpContext, expr: Expr) -> bool:
    return (
        isinstance(expr, Name)
        and expr.id in op.spec.attrs
        and op.spec.attrs[expr.id].choices is not None
    )


def _help(found: str, array: bool) -> str:
    if found in ("ints", "floats"):
        return "an array holds it: `i64[8]`; `prod(...)` and `len(...)` make it a number"
    if array:
        return "an array holds a group or a list"
    if found == "float":
        return "use `f64`; `//` divides ints"
    if found == "str":
        return "a str without `choices` has no code"
    return ""
