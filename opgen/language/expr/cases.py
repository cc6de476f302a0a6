"""Cases as one expression."""

from __future__ import annotations

from opgen.language.expr.syntax import Expr, IfElse, parse_expr
from opgen.spec.cases import Cases


def as_expression(cases: Cases[str]) -> Expr:
    """An expression that may be cases, as one: `a if c else b`.

    Where no condition holds and there is no `else`, it is the last case.
    """
    *conditional, (_, last) = cases.cases
    found = parse_expr(last)
    for condition, text in reversed(conditional):
        found = IfElse(parse_expr(condition), parse_expr(text), found)
    return found
