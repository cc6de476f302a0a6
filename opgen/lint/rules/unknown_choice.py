"""An expression compares an attr or a dtype variable with a value that it cannot have.

This rule checks comparisons of an attr with `choices`, or of a dtype variable, with a
constant. The constant must be one of the choices.

Why: such a comparison never holds. Usually the value is misspelt.

Example:

    attrs.mode   = { type = "str", choices = ["sum", "mean"] }
    outputs.y    = { dtype = "T", shape = { "mode == 'summ'" = "", else = "*s" } }

How to fix: correct the value.
"""

from opgen.language.dtypes import DTYPES
from opgen.language.expr import Compare, Const, Expr, In, Name, children, walk
from opgen.lint.expression_contexts import Site, span
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean

RULE = Rule("OG210", "unknown-choice", Stage.TYPES, overrulable=True)


def check(op: OpContext) -> Findings:
    for site in op.sites:
        for node in walk(site.expr):
            if isinstance(node, Compare | In):
                yield from _compared(op, site, node)


def _compared(op: OpContext, site: Site, node: Compare | In) -> Findings:
    flat = list(children(node))
    for operand in flat:
        if not isinstance(operand, Name):
            continue
        choices = _choices(op, operand)
        if not choices:
            continue
        for other in flat:
            value = _constant(op, other)
            if value is not None and value not in choices:
                text = f"'{value}'" if isinstance(other, Const) else str(value)
                start = max(site.text.find(text), 0)
                where = span(op, site, start, start + len(text))
                message = f"`{operand.id}` is never `{value}`"
                yield RULE.at(where, message, did_you_mean(str(value), choices))


def _choices(op: OpContext, operand: Name) -> tuple[str, ...]:
    attr = op.spec.attrs.get(operand.id)
    if attr is not None:
        if attr.type == "dtype" and attr.choices is None:
            return tuple(DTYPES)
        return attr.choices or () if attr.type in ("str", "dtype") else ()
    return op.dtypes.choices.get(operand.id, ())


def _constant(op: OpContext, operand: Expr) -> str | None:
    if isinstance(operand, Const) and isinstance(operand.value, str):
        return operand.value
    if isinstance(operand, Name) and operand.id in DTYPES:
        return operand.id if operand.id not in op.types else None
    return None
