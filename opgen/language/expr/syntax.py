"""Nodes and parser of the expression language.

Python's parser reads the text, because the language is a subset of Python. Syntax outside the
subset is rejected with its location.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TypeGuard

from opgen.language.analysis import analysis
from opgen.source.frozen import dataclass
from opgen.source.work import spend
from opgen.spec.cases import Cases

MAX_LENGTH = 1000
MAX_DEPTH = 40

FUNCTIONS: dict[str, tuple[int, int]] = {
    # The minimum and maximum number of arguments of each function.
    "prod": (1, 1),
    "sum": (1, 1),
    "len": (1, 1),
    "rank": (1, 1),
    "numel": (1, 1),
    "stride": (2, 2),
    "ceildiv": (2, 2),
    "roundup": (2, 2),
    "min": (2, 8),
    "max": (2, 8),
    "present": (1, 1),
    "bits": (1, 1),
    "accum": (1, 1),
    "promote": (2, 2),
    "real": (1, 1),
    "offsets": (0, 1),
    "ascending": (1, 1),
    "distinct": (1, 1),
}
# Functions of `values` that compare the elements along an input's last dim.
OF_ROWS = ("ascending", "distinct")
ELEMENTWISE = ("exp", "log", "sqrt", "rsqrt", "tanh", "erf", "abs", "sign", "sin", "cos")
IN_FORMULAS = (*ELEMENTWISE, "min", "max", "present")


class ParseError(Exception):
    """Error for text that is not a valid expression. `offset` counts characters from the start."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


Value = int | float | bool | str | None


@dataclass(frozen=True)
class Const:
    """A constant: a number, `True`, `False`, `None` or a string."""

    value: Value


@dataclass(frozen=True)
class Name:
    """A name of a dim, group, attr, dtype variable, dtype or tensor."""

    id: str


@dataclass(frozen=True)
class Unary:
    """A unary operation: `-x` or `not x`."""

    op: str
    operand: Expr


@dataclass(frozen=True)
class Binary:
    """A binary operation: `+`, `-`, `*`, `/`, `//`, `%` or `**`."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Compare:
    """A chain of comparisons: `a < b <= c`."""

    ops: tuple[str, ...]
    operands: tuple[Expr, ...]


@dataclass(frozen=True)
class In:
    """A membership test: `a in (b, c)` or `a not in (b, c)`."""

    op: str
    value: Expr
    items: tuple[Expr, ...]


@dataclass(frozen=True)
class Bool:
    """Operands joined by `and` or `or`."""

    op: str
    operands: tuple[Expr, ...]


@dataclass(frozen=True)
class IfElse:
    """A conditional expression: `body if test else orelse`."""

    test: Expr
    body: Expr
    orelse: Expr


@dataclass(frozen=True)
class Index:
    """An index into a list: `v[0]`, or `s[i]` for the i-th tensor of a list."""

    value: Expr
    index: Expr


@dataclass(frozen=True)
class Call:
    """A function call, such as `ceildiv(a, b)`."""

    func: str
    args: tuple[Expr, ...]


Expr = Const | Name | Unary | Binary | Compare | In | Bool | IfElse | Index | Call

_BINARY = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
}
_COMPARE = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
}


@cache
def parse_expr(text: str) -> Expr:
    """Parse one expression. Raises `ParseError`."""
    spend(len(text) // 10)
    if len(text) > MAX_LENGTH:
        raise ParseError(f"an expression has at most {MAX_LENGTH} characters")
    stripped = text.lstrip()
    lead = len(text) - len(stripped)
    try:
        with warnings.catch_warnings():
            # Python accepts `1if x else 2` with a warning. The language rejects such text.
            warnings.simplefilter("error", SyntaxWarning)
            tree = ast.parse(stripped, mode="eval").body
    except SyntaxError as error:
        *above, line = stripped.split("\n")[: error.lineno or None]
        before = "\n".join([*above, line[: error.offset - 1] if error.offset else line])
        raise ParseError(f"not an expression: {error.msg}", lead + len(before)) from None
    except (ValueError, RecursionError, MemoryError):
        raise ParseError("not an expression") from None
    return _Reader(stripped, lead).read(tree, 0)


def offset(text: str, line: int | None, column: int | None) -> int:
    """Convert a position of Python's parser (a line and a byte offset) to an offset in characters."""
    *above, last = text.split("\n")[:line]
    return len("\n".join([*above, last.encode()[:column].decode()]))


class _Reader:
    def __init__(self, text: str, lead: int) -> None:
        self.text, self.lead = text, lead

    def fail(self, node: ast.expr, message: str) -> ParseError:
        return ParseError(message, self.lead + offset(self.text, node.lineno, node.col_offset))

    def read(self, node: ast.expr, depth: int) -> Expr:
        if depth > MAX_DEPTH:
            raise self.fail(node, f"an expression nests at most {MAX_DEPTH} deep")

        def sub(child: ast.expr) -> Expr:
            return self.read(child, depth + 1)

        match node:
            case ast.Constant(value=value) if (
                isinstance(value, bool | int | float | str) or value is None
            ):
                return self.constant(node, value)
            case ast.Name(id=name):
                return Name(name)
            case ast.UnaryOp(
                op=ast.USub(), operand=ast.Constant(value=int() | float() as value)
            ) if not isinstance(value, bool):
                return self.constant(node, -value)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return Unary("-", sub(operand))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Unary("not", sub(operand))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
                return Binary(_BINARY[type(op)], sub(left), sub(right))
            case ast.BoolOp(op=op, values=values):
                return Bool("and" if isinstance(op, ast.And) else "or", tuple(map(sub, values)))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return IfElse(sub(test), sub(body), sub(orelse))
            case ast.Compare():
                return self.compare(node, sub)
            case ast.Subscript(value=value, slice=index) if not isinstance(
                index, ast.Slice | ast.Tuple
            ):
                return Index(sub(value), sub(index))
            case ast.Call(func=ast.Name(id=func), args=args, keywords=[]):
                self.check_call(node, func, len(args))
                return Call(func, tuple(map(sub, args)))
        source = ast.get_source_segment(self.text, node)
        raise self.fail(node, f"`{source!s:.40}` is not in the expression language")

    def constant(self, node: ast.expr, value: Value) -> Const:
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise self.fail(node, "an integer must fit in 64 bits")
        return Const(value)

    def compare(self, node: ast.Compare, sub: Callable[[ast.expr], Expr]) -> Compare | In:
        left = sub(node.left)
        operands = [left]
        for op, right in zip(node.ops, node.comparators):
            if type(op) not in _COMPARE:
                raise self.fail(node, "`is` is not in the language: write `==` or `present()`")
            if isinstance(op, ast.In | ast.NotIn):
                if not isinstance(right, ast.Tuple | ast.List) or len(node.ops) > 1:
                    raise self.fail(node, "`in` takes a tuple: `mode in ('sum', 'mean')`")
                return In(_COMPARE[type(op)], left, tuple(map(sub, right.elts)))
            operands.append(sub(right))
        return Compare(tuple(_COMPARE[type(op)] for op in node.ops), tuple(operands))

    def check_call(self, node: ast.Call, func: str, given: int) -> None:
        if func in ELEMENTWISE:
            low = high = 1
        elif func in FUNCTIONS:
            low, high = FUNCTIONS[func]
        else:
            import difflib

            near = difflib.get_close_matches(func, [*FUNCTIONS, *ELEMENTWISE])
            hint = f": did you mean `{near[0]}`?" if near else ""
            raise self.fail(node, f"unknown function `{func}`{hint}")
        if not low <= given <= high:
            wanted = str(low) if low == high else f"{low} to {high}"
            raise self.fail(node, f"`{func}` takes {wanted} argument(s), not {given}")


def children(expr: Expr) -> Iterator[Expr]:
    """Yield the direct sub-expressions of `expr`, left to right."""
    match expr:
        case Name() | Const():  # the most frequent ones
            return
        case Unary(operand=operand):
            yield operand
        case Binary(left=left, right=right):
            yield left
            yield right
        case Compare(operands=operands) | Bool(operands=operands):
            yield from operands
        case In(value=value, items=items):
            yield from (value, *items)
        case IfElse(test=test, body=body, orelse=orelse):
            yield from (test, body, orelse)
        case Index(value=value, index=index):
            yield from (value, index)
        case Call(args=args):
            yield from args


def walk(expr: Expr) -> tuple[Expr, ...]:
    """Return `expr` and all nodes in it."""
    found = _walk(expr)
    spend(len(found))
    return found


@analysis
def _walk(expr: Expr) -> tuple[Expr, ...]:
    return (expr, *(node for child in children(expr) for node in _walk(child)))


def is_offsets(expr: Expr) -> TypeGuard[Call]:
    """Return whether a condition on an input's elements calls `offsets`. Such an input holds the
    bounds of ragged rows.
    """
    return isinstance(expr, Call) and expr.func == "offsets"


def conjuncts(expr: Expr) -> tuple[Expr, ...]:
    """Return the operands of a condition that is an `and`. For any other condition, return only the
    condition itself.
    """
    return expr.operands if isinstance(expr, Bool) and expr.op == "and" else (expr,)


def names_in(expr: Expr) -> tuple[str, ...]:
    """Return the names in `expr`, in order, each once."""
    return (expr.id,) if isinstance(expr, Name) else _names_in(expr)


@analysis
def _names_in(expr: Expr) -> tuple[str, ...]:
    return tuple(dict.fromkeys([e.id for e in walk(expr) if isinstance(e, Name)]))


def calls_in(expr: Expr) -> tuple[Call, ...]:
    """Return the function calls in `expr`."""
    return tuple([e for e in walk(expr) if isinstance(e, Call)])


@analysis
def presence_in(expr: Expr) -> tuple[str, ...]:
    """Return the names whose presence `expr` tests."""
    return tuple(
        c.args[0].id for c in calls_in(expr) if c.func == "present" and isinstance(c.args[0], Name)
    )


def map_children(expr: Expr, sub: Callable[[Expr], Expr]) -> Expr:
    """Return `expr` with `sub` applied to its direct sub-expressions."""
    match expr:
        case Name() | Const():
            return expr
        case Unary(op, operand):
            return Unary(op, sub(operand))
        case Binary(op, left, right):
            return Binary(op, sub(left), sub(right))
        case Compare(ops, operands):
            return Compare(ops, tuple(map(sub, operands)))
        case In(op, value, items):
            return In(op, sub(value), tuple(map(sub, items)))
        case Bool(op, operands):
            return Bool(op, tuple(map(sub, operands)))
        case IfElse(test, body, orelse):
            return IfElse(sub(test), sub(body), sub(orelse))
        case Index(value, index):
            return Index(sub(value), sub(index))
        case Call(func, args):
            return Call(func, tuple(map(sub, args)))
    return expr


def substitute(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    """Return `expr` with names replaced by expressions, for example to expand derived dims."""
    spend()
    if isinstance(expr, Name):
        return substitute(values[expr.id], values) if expr.id in values else expr
    return map_children(expr, lambda e: substitute(e, values))


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
