"""What a spec has as text, parsed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from opgen.ir.nodes import Requirement
from opgen.language.expr import Expr, parse_expr
from opgen.language.expr.decide import decide
from opgen.spec.cases import Cases
from opgen.spec.models import reading as written

V = TypeVar("V")


def decided(cases: Cases[V]) -> Cases[V]:
    """Cases with their conditions parsed; one that looks at nothing is decided here."""
    found: list[tuple[Expr | None, V]] = []
    for condition, value in cases.cases:
        expr = expression_of(condition)
        holds = None if expr is None else decide(expr, {})
        if holds:
            return Cases((*found, (None, value)))
        if holds is None:
            found.append((expr, value))
    return Cases(tuple(found))


def expression_of(text: str | None) -> Expr | None:
    return None if text is None else parse_expr(text)


def requirements(items: Iterable[written.Requirement[str]]) -> tuple[Requirement, ...]:
    return tuple(Requirement(parse_expr(i.condition), i.message) for i in items)
