"""Decompose an expression as `factor*name + offset`, to solve it for one unknown size."""

from __future__ import annotations

from opgen.language.expr import Binary, Const, Expr, Name, Unary, names_in

ZERO, ONE = Const(0), Const(1)


def linear(expr: Expr, name: str) -> tuple[Expr, Expr] | None:
    """Return (factor, offset) such that `expr` is `factor*name + offset`; None if `expr` is not
    linear in `name`.
    """
    if name not in names_in(expr):
        return ZERO, expr
    match expr:
        case Name():
            return ONE, ZERO
        case Unary(op="-", operand=operand):
            found = linear(operand, name)
            return found and (_times(Const(-1), found[0]), _times(Const(-1), found[1]))
        case Binary(op="+" | "-" as op, left=left, right=right):
            a, b = linear(left, name), linear(right, name)
            if a is None or b is None:
                return None
            if op == "-":
                b = (_times(Const(-1), b[0]), _times(Const(-1), b[1]))
            return _plus(a[0], b[0]), _plus(a[1], b[1])
        case Binary(op="*", left=left, right=right):
            a, b = linear(left, name), linear(right, name)
            if a is None or b is None or (a[0] != ZERO and b[0] != ZERO):
                return None
            (factor, offset), (_, scale) = (a, b) if b[0] == ZERO else (b, a)
            return _times(factor, scale), _times(offset, scale)
    return None


def _plus(a: Expr, b: Expr) -> Expr:
    if a == ZERO:
        return b
    if b == ZERO:
        return a
    match a, b:
        case Const(int() | float() as x), Const(int() | float() as y):
            return Const(x + y)
    return Binary("+", a, b)


def _times(a: Expr, b: Expr) -> Expr:
    if ZERO in (a, b):
        return ZERO
    if a == ONE:
        return b
    if b == ONE:
        return a
    match a, b:
        case Const(int() | float() as x), Const(int() | float() as y):
            return Const(x * y)
    return Binary("*", a, b)
