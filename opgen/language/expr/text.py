"""Print an expression in the syntax of specs."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.language.expr.syntax import (
    Binary,
    Bool,
    Call,
    Compare,
    Const,
    Expr,
    IfElse,
    In,
    Index,
    Name,
    Unary,
)

# The other precedences: `not` is 3, a comparison 4, a sign 7, a power 8.
PRECEDENCE = {"or": 1, "and": 2, "+": 5, "-": 5, "*": 6, "/": 6, "//": 6, "%": 6}
TIGHTEST = 9  # only names, calls and other atoms have this precedence


def tuple_text(items: Iterable[str]) -> str:
    """Return a tuple of `items` in Python's syntax."""
    items = tuple(items)
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def text_of(expr: Expr, outer: int = 0) -> str:
    """Return `expr` in the syntax of specs, with as few parentheses as possible."""

    def paren(level: int, text: str) -> str:
        return f"({text})" if level < outer else text

    match expr:
        case Const(value=value):
            negative = isinstance(value, int | float) and value < 0
            return paren(7, repr(value)) if negative else repr(value)
        case Name(id=name):
            return name
        case Unary("-", operand):
            return paren(7, "-" + text_of(operand, 7))
        case Unary(_, operand):
            return paren(3, "not " + text_of(operand, 3))
        case Binary("**", left, right):
            return paren(8, f"{text_of(left, TIGHTEST)}**{text_of(right, 8)}")
        case Binary(op, left, right):
            level = PRECEDENCE[op]
            return paren(level, f"{text_of(left, level)} {op} {text_of(right, level + 1)}")
        case Compare(ops, operands):
            parts = [text_of(operands[0], 5)]
            parts += (f"{op} {text_of(operand, 5)}" for op, operand in zip(ops, operands[1:]))
            return paren(4, " ".join(parts))
        case In(op, value, items):
            return paren(4, f"{text_of(value, 5)} {op} {tuple_text(map(text_of, items))}")
        case Bool(op, operands):
            level = PRECEDENCE[op]
            return paren(level, f" {op} ".join(text_of(o, level + 1) for o in operands))
        case IfElse(test, body, orelse):
            return paren(0, f"{text_of(body, 1)} if {text_of(test, 1)} else {text_of(orelse)}")
        case Index(value, index):
            return f"{text_of(value, TIGHTEST)}[{text_of(index)}]"
        case Call(func, args):
            return f"{func}({', '.join(map(text_of, args))})"
    raise TypeError(expr)
