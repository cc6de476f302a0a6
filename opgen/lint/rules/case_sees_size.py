"""A condition that decides a tensor's presence, a case or a derived dtype depends on a size.

This rule checks `when` and the conditions of cases. They may use attrs, the presence of
tensors, dtypes, and the ranks of inputs. They must not use dims, groups, `numel`, or attrs whose
default depends on sizes.

Why: a traced program would branch on a symbolic size, and two devices with shards of different
sizes could choose different cases.

Example:

    outputs.y = { dtype = "T", shape = { "d > 8" = "*s", else = "" } }

How to fix: decide by a bool attr instead. If calls must meet the condition, write it in `require`.
"""

from collections.abc import Iterator

from opgen.language.expr import Call, Expr, Name, calls_in
from opgen.language.expr.syntax import children
from opgen.lint.expression_contexts import span_of
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG315", "case-sees-size", Stage.TYPES)


def check(op: OpContext) -> Findings:
    late = {n for n, attr in op.spec.attrs.items() if attr.late_default is not None}
    for site in op.sites:
        if site.sees != "condition":
            continue
        for name in _ranks(site.expr):
            if name not in op.spec.inputs:
                where = span_of(op, site, name)
                message = f"`{name}` is no input: its rank is not given"
                yield RULE.at(where, message, "conditions see the ranks of inputs")
        for name in dict.fromkeys(_read(site.expr)):
            if name in late:
                message = f"the condition looks at `{name}`, whose default looks at sizes"
            elif name in op.spec.attrs or name in op.spec.dtypes:
                continue
            elif name in op.spec.tensors:
                message = f"the condition looks at the size of `{name}`"
            elif name in op.types:
                message = f"the condition looks at the size `{name}`"
            else:
                continue
            help_ = "conditions see attrs, presence, dtypes and ranks: add a bool attr"
            yield RULE.at(span_of(op, site, name), message, help_)


def _ranks(expr: Expr) -> list[str]:
    """Return each name in `expr` that is the argument of `rank`."""
    asked = (c.args[0] for c in calls_in(expr) if c.func == "rank")
    return [a.id for a in asked if isinstance(a, Name)]


def _read(expr: Expr) -> Iterator[str]:
    """Yield the names in `expr`, except those that are arguments of `present` or `rank`."""
    match expr:
        case Name(id=name):
            yield name
        case Call(func="present" | "rank"):
            return
        case _:
            for child in children(expr):
                yield from _read(child)
