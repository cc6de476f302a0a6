"""A part of an expression has no value.

This rule evaluates every part that depends only on constants and dtypes, for all dtypes that
the op's requirements allow. It reports a division by 0, a power or root that is not real, and an
integer that does not fit in 64 bits. It skips the branch of an `if` that is not taken.

Why: the expression would fail in every call, or run forever, because Python's integers have no
upper bound.

Example:

    outputs.y = { dtype = "T", shape = "n 9**9**9" }

How to fix: correct the expression. In the example, write a smaller number.
"""

import itertools
import math
from collections.abc import Mapping

from opgen.language.call_variants import LIMIT
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Binary, Bool, Call, Const, Expr, IfElse, Name, names_in, text_of
from opgen.language.expr.decide import decide
from opgen.language.expr.evaluate import Unbound, evaluate
from opgen.language.expr.syntax import children
from opgen.lint.dtype_table import DtypeTable
from opgen.lint.expression_contexts import Site, span
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG211", "no-value", Stage.TYPES, on=("dtypes", "op"))

INTEGERS = range(-(2**63), 2**63)


def check(subject: OpContext | DtypeTable) -> Findings:
    table = subject.dtypes if isinstance(subject, OpContext) else subject
    free = table.given
    require = subject.require if isinstance(subject, OpContext) else ()
    rows: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for site in subject.sites:
        if isinstance(site.expr, Const | Name):
            continue
        expr = table.over_free(site.expr)
        named = tuple(n for n in names_in(expr) if n in free)
        if math.prod(len(free[n]) for n in named) > LIMIT:
            continue
        if named not in rows:
            every = (dict(zip(named, row)) for row in itertools.product(*(free[n] for n in named)))
            rows[named] = [v for v in every if all(decide(r, v) is not False for r in require)]
        for values in rows[named]:
            found = _problem(expr, values)
            if found is not None:
                yield _finding(subject, site, *found, values)
                break


def _finding(
    subject: OpContext | DtypeTable, site: Site, part: Expr, problem: str, values: Mapping[str, str]
) -> Diagnostic:
    chosen = [f"`{n}` is {values[n]}" for n in names_in(part) if n in values]
    where = f" where {' and '.join(chosen)}" if chosen else ""
    message = f"`{text_of(part)}` {problem}{where}"
    return RULE.at(span(subject, site, 0, len(site.text)), message)


def _problem(expr: Expr, values: Mapping[str, str]) -> tuple[Expr, str] | None:
    """Return the first part of `expr` that has no value, with the reason; otherwise return None.

    Branches that are not taken with `values` do not matter.
    """
    match expr:
        case IfElse(test, body, orelse):
            holds = decide(test, values)
            parts = [
                test,
                *([body] if holds is not False else []),
                *([orelse] if holds is not True else []),
            ]
            return next(filter(None, (_problem(p, values) for p in parts)), None)
        case Bool(op, operands):
            for operand in operands:
                found = _problem(operand, values)
                if found or decide(operand, values) is (op == "or"):
                    return found
            return None
    for child in children(expr):
        found = _problem(child, values)
        if found:
            return found
    return _own_problem(expr, values)


def _own_problem(expr: Expr, values: Mapping[str, str]) -> tuple[Expr, str] | None:
    computed = isinstance(expr, Binary | Call | Const)
    if isinstance(expr, Binary) and expr.right in (Const(0), Const(0.0)) and expr.op in "//%":
        return None  # the type check reports division by zero
    if not computed or not all(n in values or n in DTYPES for n in names_in(expr)):
        return None
    try:
        value = evaluate(expr, values)
    except (Unbound, ArithmeticError, ValueError):
        power = isinstance(expr, Binary) and expr.op == "**" and expr.left != Const(0)
        return expr, "does not fit in 64 bits" if power else "has no value"
    except (TypeError, LookupError):
        return None  # the type check reports operands of a wrong type
    if isinstance(value, complex):
        return expr, "is no real number"
    if isinstance(value, int) and value not in INTEGERS:
        return expr, "does not fit in 64 bits"
    return None
