"""Print expressions as Python.

`python` prints sizes, options and conditions. The printed code computes with ints, tuples and dtype
names, and also works with symbolic sizes. `elementwise` prints gradient formulas over arrays.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache

from opgen.language.dtypes import DTYPES
from opgen.language.expr.syntax import (
    OF_ROWS,
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
from opgen.language.expr.text import PRECEDENCE, TIGHTEST, tuple_text

# Functions of the expression language that a rendered package defines in its support module.
SUPPORT = (
    *("accum", "bits", "ceildiv", "item", "promote", "real", "roundup", "numel", "stride"),
    *OF_ROWS,
)


@lru_cache(maxsize=4096)
def quoted(text: str) -> str:
    """Return a Python string literal in black's format."""
    body = repr(text)
    return body if '"' in body else f'"{body[1:-1]}"'


def literal(value: object) -> str:
    """Return a value as Python in black's format: `1e30`, although `repr` returns `1e+30`."""
    if isinstance(value, complex):
        sign = "-" if math.copysign(1, value.imag) < 0 else "+"
        return f"({literal(value.real)} {sign} {literal(abs(value.imag))}j)"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, tuple):
        items = ", ".join(map(literal, value))
        return f"({items},)" if len(value) == 1 else f"({items})"
    return repr(value).replace("e+", "e")


def python(
    expr: Expr,
    name: Callable[[str], str] = str,
    outer: int = 0,
    function: Callable[[str], str] = str,
) -> str:
    """Return `expr` as Python.

    `name` returns the text of a name, `function` the text of a function's name. By default both
    stay unchanged. A dtype becomes a string. Operators have spaces as in black's format, which
    omits the spaces around `**` between simple operands.
    """

    def sub(e: Expr, level: int = 0) -> str:
        return python(e, name, level, function)

    def paren(level: int, text: str) -> str:
        return f"({text})" if level < outer else text

    match expr:
        case Const(value=value):
            negative = isinstance(value, int | float) and value < 0
            return paren(7, literal(value)) if negative else literal(value)
        case Name(id=id):
            return quoted(id) if id in DTYPES else name(id)
        case Unary("-", operand):
            return paren(7, "-" + sub(operand, 7))
        case Unary(_, operand):
            return paren(3, "not " + sub(operand, 3))
        case Binary("**", left, right):
            return paren(8, _power(left, right, sub))
        case Binary(op, left, right):
            level = PRECEDENCE[op]
            return paren(level, f"{sub(left, level)} {op} {sub(right, level + 1)}")
        case Compare():
            return paren(4, _compare(expr, sub))
        case In(op, value, items):
            return paren(4, f"{sub(value, 5)} {op} {tuple_text(map(sub, items))}")
        case Bool(op, operands):
            level = PRECEDENCE[op]
            return paren(level, f" {op} ".join(sub(o, level + 1) for o in operands))
        case IfElse(test, body, orelse):
            return paren(0, f"{sub(body, 1)} if {sub(test, 1)} else {sub(orelse)}")
        case Index(value, index):
            return f"{sub(value, TIGHTEST)}[{sub(index)}]"
        case Call("present", (operand,)):
            return paren(4, f"{sub(operand)} is not None")
        case Call("rank", (operand,)):
            return f"{function('len')}({sub(operand)}.shape)"
        case Call(func, args):
            return f"{function(func)}({', '.join(map(sub, args))})"
    raise TypeError(expr)


def _compare(expr: Compare, sub: Callable[[Expr, int], str]) -> str:
    parts = [sub(expr.operands[0], 5)]
    for op, operand in zip(expr.ops, expr.operands[1:]):
        if operand == Const(None):
            parts.append(f"{'is' if op == '==' else 'is not'} None")
        else:
            parts.append(f"{op} {sub(operand, 5)}")
    return " ".join(parts)


def _power(left: Expr, right: Expr, sub: Callable[[Expr, int], str]) -> str:
    base = sub(left, TIGHTEST)
    exponent = repr(right.value) if isinstance(right, Const) else sub(right, 8)
    return raised(base, exponent)


def raised(base: str, exponent: str) -> str:
    """Return a power as Python. Like black, omit spaces around `**` between names and numbers."""
    simple = all(re.fullmatch(r"-?[\w.]+", text) for text in (base, exponent))
    return f"{base}**{exponent}" if simple else f"{base} ** {exponent}"


def support_functions(expr: Expr) -> set[str]:
    """Return the functions of the support module that the printed code of `expr` calls."""
    from opgen.language.expr.syntax import calls_in

    found = {call.func for call in calls_in(expr)}
    return (found & set(SUPPORT)) | ({"prod"} if "prod" in found else set())


def elementwise(
    expr: Expr,
    xp: str,
    name: Callable[[str], str] = str,
    outer: int = 0,
    scalar: Callable[[Expr], bool] = lambda expr: False,
    function: Callable[[str], str] = str,
    static: Callable[[Expr], bool] = lambda expr: False,
) -> str:
    """Print a gradient formula, or a condition on elements, as Python over arrays of one shape.

    `xp` is the array namespace. `a if c else b` becomes `xp.where`; `and` and `or` become the
    bitwise operators. `function` returns the text of a function that is not in `xp`.

    If `scalar` returns True for a part of the formula, the part contains no array, and `python`
    prints it. If `static` returns True for a condition, the condition stays a Python `if`, so that
    only one branch is computed.
    """
    if scalar(expr):
        return python(expr, name, outer, function)

    def sub(e: Expr, level: int = 0) -> str:
        return elementwise(e, xp, name, level, scalar, function, static)

    def paren(level: int, text: str) -> str:
        return f"({text})" if level < outer else text

    match expr:
        case IfElse(test, body, orelse) if static(test):
            chosen = f"{sub(body, 1)} if {python(test, name, 1, function)} else {sub(orelse)}"
            return paren(0, chosen)
        case IfElse(test, body, orelse):
            return f"{xp}.where({sub(test)}, {sub(body)}, {sub(orelse)})"
        case Bool(op, operands):
            # `&` binds tighter than a comparison, so every operand gets parentheses.
            word = {"and": " & ", "or": " | "}[op]
            return paren(4, word.join(sub(o, TIGHTEST) for o in operands))
        case Unary("not", operand):
            return paren(7, "~" + sub(operand, TIGHTEST))
        case Compare(ops, operands) if len(ops) > 1:
            pairs = zip(operands, ops, operands[1:])
            return paren(4, " & ".join(f"({sub(a, 5)} {op} {sub(b, 5)})" for a, op, b in pairs))
        case Compare():
            return paren(4, _compare(expr, sub))
        case In(op, value, items):
            same = "==" if op == "in" else "!="
            tests = tuple(Compare((same,), (value, each)) for each in items)
            return sub(Bool("or" if op == "in" else "and", tests), outer)
        case Call(func, args) if func in SUPPORT:
            return f"{function(func)}({', '.join(map(sub, args))})"
        case Call("min" | "max" as func, args):
            text = sub(args[0])
            for arg in args[1:]:
                text = f"{xp}.{func}imum({text}, {sub(arg)})"
            return text
        case Call("rsqrt", (operand,)):
            return paren(6, f"1 / {xp}.sqrt({sub(operand)})")
        case Call(func, (operand,)):
            return f"{xp}.{func}({sub(operand)})"
        case Unary("-", operand):
            return paren(7, "-" + sub(operand, 7))
        case Binary("**", left, right):
            return paren(8, _power(left, right, sub))
        case Binary(op, left, right):
            level = PRECEDENCE[op]
            return paren(level, f"{sub(left, level)} {op} {sub(right, level + 1)}")
    return python(expr, name, outer, function)
