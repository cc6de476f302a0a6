"""Evaluate a condition when only some of its names have known values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from opgen.language.expr.evaluate import Unbound, evaluate
from opgen.language.expr.syntax import (
    Bool,
    Call,
    Expr,
    IfElse,
    Name,
    Unary,
    children,
    presence_in,
)
from opgen.source.work import spend


def decide(expr: Expr, values: Mapping[str, object]) -> bool | None:
    """Return whether a condition is true; None if the known `values` do not decide it."""
    spend()
    match expr:
        case Bool(op, operands):
            stop = op == "or"
            each = [decide(o, values) for o in operands]
            return stop if stop in each else None if None in each else not stop
        case Unary("not", operand):
            found = decide(operand, values)
            return None if found is None else not found
        case IfElse(test, body, orelse):
            found = decide(test, values)
            return None if found is None else decide(body if found else orelse, values)
    if any(name not in values for name in presence_in(expr)):
        return None
    try:
        return bool(evaluate(expr, values))
    except (Unbound, TypeError, LookupError, ArithmeticError):
        return None


def needed(expr: Expr, values: Mapping[str, object]) -> Iterator[str]:
    """Yield the names that `expr` reads, except in branches that the known `values` rule out."""
    spend()
    match expr:
        case IfElse(test, body, orelse):
            yield from needed(test, values)
            found = decide(test, values)
            if found is not False:
                yield from needed(body, values)
            if found is not True:
                yield from needed(orelse, values)
        case Bool(op, operands):
            for operand in operands:
                yield from needed(operand, values)
                if decide(operand, values) is (op == "or"):
                    return
        case Name(name):
            yield name
        case Call("present"):
            return
        case _:
            for child in children(expr):
                yield from needed(child, values)
