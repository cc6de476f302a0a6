"""Convert cases (values with conditions) to one conditional expression."""

from __future__ import annotations

from opgen.language.expr.syntax import Expr, IfElse, parse_expr
from opgen.spec.cases import Cases


def as_expression(cases: Cases[str]) -> Expr:
    """Return `cases` as one expression. For the values `a` (if `c` holds) and `b` (otherwise), this
    is `a if c else b`.

    If no condition holds and there is no `else`, the last case applies.
    """
    *conditional, (_, last) = cases.cases
    found = parse_expr(last)
    for condition, text in reversed(conditional):
        found = IfElse(parse_expr(condition), parse_expr(text), found)
    return found
