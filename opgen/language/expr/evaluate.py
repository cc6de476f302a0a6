"""Evaluate an expression. This module defines the meaning of the expression language.

The tests compare every printer with this module.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

from opgen.language.dtypes import DTYPES, accum, promote, real
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
from opgen.source.work import spend

_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
}
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


# No size has this many bits, not even an intermediate result of a size that fits in 64 bits.
BITS_AT_MOST = 4096


class Unbound(Exception):
    """Error for an expression that reads a name without a value."""


class NoValue(Unbound, ZeroDivisionError):
    """Error for an expression without a value, such as `1//0`, or with a huge value: `2**2**99`."""


def evaluate(expr: Expr, values: Mapping[str, object]) -> Any:
    """Return the value of `expr`; `values` maps names to their values.

    Groups are tuples of ints, and dtypes are names. The value of a tensor is its shape, and that of
    a list of tensors is a list of shapes. An absent tensor or attr is None. Raises `Unbound` for a
    name without a value, and ZeroDivisionError like Python.
    """

    spend()
    match expr:
        case Const(value=value):
            return value
        case Name(id=name):
            if name in values:
                return values[name]
            if name in DTYPES:
                return name
            raise Unbound(name)
        case Unary(op="-", operand=operand):
            return -evaluate(operand, values)
        case Unary(operand=operand):
            return not evaluate(operand, values)
        case Binary(op=op, left=left, right=right):
            return _operate(op, evaluate(left, values), evaluate(right, values))
        case Bool(op="and", operands=operands):
            return all(evaluate(o, values) for o in operands)
        case Bool(operands=operands):
            return any(evaluate(o, values) for o in operands)
        case IfElse(test=test, body=body, orelse=orelse):
            return evaluate(body, values) if evaluate(test, values) else evaluate(orelse, values)
        case Index(value=value, index=index):
            items, at = evaluate(value, values), evaluate(index, values)
            if not -len(items) <= at < len(items):
                raise Unbound(f"[{at}]")
            return items[at]
        case Compare(ops=ops, operands=operands):
            left = evaluate(operands[0], values)
            for op, operand in zip(ops, operands[1:]):
                right = evaluate(operand, values)
                if not _COMPARE[op](left, right):
                    return False
                left = right
            return True
        case In(op=op, value=value, items=items):
            found = evaluate(value, values) in [evaluate(i, values) for i in items]
            return found == (op == "in")
        case Call(func="present", args=(Name(id=name),)):
            return values.get(name) is not None
        case Call(func=func, args=args):
            return _call(func, [evaluate(a, values) for a in args])
    raise TypeError(expr)


def _call(func: str, args: list[Any]) -> Any:
    match func, args:
        case "numel", [list() as shapes]:
            return sum(math.prod(shape) for shape in shapes)
        case "numel" | "prod", [values]:
            return math.prod(values)
        case "sum", [values]:
            return sum(values)
        case "len" | "rank", [values]:
            return len(values)
        case "stride", [shape, j]:
            return math.prod(shape[j % len(shape) + 1 :])
        case "ceildiv", [a, b]:
            return -(-a // b)
        case "roundup", [a, b]:
            return -(-a // b) * b
        case "min", _:
            return min(args)
        case "max", _:
            return max(args)
        case "bits", [dtype]:
            return DTYPES[dtype].bits
        case "accum", [dtype]:
            return accum(dtype)
        case "promote", [a, b]:
            return promote(a, b)
        case "real", [dtype]:
            return real(dtype)
        case ("exp" | "log" | "sqrt" | "tanh" | "erf" | "sin" | "cos"), [x]:
            return getattr(math, func)(x)
        case "rsqrt", [x]:
            return 1.0 / math.sqrt(x)
        case "abs", [x]:
            return abs(x)
        case "sign", [x]:
            return (x > 0) - (x < 0)
    raise TypeError(f"{func}{tuple(args)}")


def _operate(op: str, left: Any, right: Any) -> Any:
    """Compute one operation on numbers, including symbolic ones. Raises `NoValue`.

    Sequences are rejected, because Python would concatenate and repeat them.
    """
    for each in (left, right):
        if isinstance(each, str | bytes | list | tuple):
            raise TypeError(f"{op} of {type(left).__name__} and {type(right).__name__}")
    if op in ("/", "//", "%") and right == 0:
        raise NoValue(f"{op} 0")
    if op == "**" and (abs(right) > 63 or (left == 0 and right < 0)):
        raise NoValue(f"** {right}")
    if op in ("*", "**") and isinstance(left, int) and isinstance(right, int):
        bits = left.bit_length() * right if op == "**" else left.bit_length() + right.bit_length()
        if bits > BITS_AT_MOST:
            raise NoValue(f"{op} of {bits} bits")
    return _BINARY[op](left, right)
