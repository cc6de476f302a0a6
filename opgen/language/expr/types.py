"""Determine the type of an expression.

The types are `int`, `float`, `bool`, `str`, `dtype`, `ints` (a group, an `int[]`), `floats`,
`tensor`, `list` (of tensors) and `none`. The only conversion is from int to float. A name's type
may end in `?`. Such a name may be absent, and `present` may test it.
"""

from __future__ import annotations

from collections.abc import Callable

from opgen.language.expr.syntax import (
    ELEMENTWISE,
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
from opgen.spec.attr_types import ATTR_TYPES

Lookup = Callable[[str], str | None]
Path = tuple[int, ...]

NUMBERS = ("int", "float")
COMPARED = (*NUMBERS, "bool", "str", "dtype", "ints", "floats", "none")
WORDS = {
    **{each.kind: each.words for each in ATTR_TYPES.values()},
    "tensor": "a tensor",
    "list": "a list of tensors",
    "none": "`None`",
    "number": "a number",
}
# For each function, the allowed types of each argument, and the result type.
SIGNATURES: dict[str, tuple[tuple[tuple[str, ...], ...], str]] = {
    "prod": ((("ints",),), "int"),
    "len": ((("ints", "floats", "list"),), "int"),
    "rank": ((("tensor",),), "int"),
    "numel": ((("tensor", "list"),), "int"),
    "stride": ((("tensor",), ("int",)), "int"),
    "ceildiv": ((("int",), ("int",)), "int"),
    "roundup": ((("int",), ("int",)), "int"),
    "bits": ((("dtype",),), "int"),
    "accum": ((("dtype",),), "dtype"),
    "promote": ((("dtype",), ("dtype",)), "dtype"),
    "real": ((("dtype",),), "dtype"),
    "offsets": ((("int",),), "bool"),
    "ascending": ((NUMBERS,), "bool"),
    "distinct": ((("int",),), "bool"),
}


class TypeMismatch(Exception):
    """Error for a sub-expression that has a type which its operator or function does not allow.

    `path` leads to the sub-expression, as in `places.span_at`. `message` states the found and the
    expected type, and `help` describes the fix.
    """

    def __init__(self, message: str, path: Path, help: str = "") -> None:
        super().__init__(message)
        self.message, self.path, self.help = message, path, help


def type_of(expr: Expr, lookup: Lookup, *, elementwise: bool = False) -> str | None:
    """Return the type of `expr`; None if `expr` contains a name that `lookup` does not know.

    With `elementwise`, tensors stand for their elements, and `lookup` returns the element type.
    Then `expr` may also call the functions of gradient formulas. Raises `TypeMismatch`.
    """
    return _Typer(lookup, elementwise).of(expr, ())


def fits(found: str | None, wanted: str) -> bool:
    """Return whether a value of type `found` is allowed where the expected type is `wanted`."""
    if found is None or wanted == "any" or found == wanted:
        return True
    return wanted in ("float", "number") and found in NUMBERS


def expect(expr: Expr, lookup: Lookup, wanted: str, *, elementwise: bool = False) -> None:
    """Raise `TypeMismatch` unless `expr` is of type `wanted`."""
    found = type_of(expr, lookup, elementwise=elementwise)
    if found is not None and not fits(found, wanted):
        raise TypeMismatch(f"expected {WORDS[wanted]}, got {WORDS[found]}", ())


class _Typer:
    def __init__(self, lookup: Lookup, elementwise: bool) -> None:
        self.lookup, self.elementwise = lookup, elementwise

    def of(self, expr: Expr, path: Path) -> str | None:
        match expr:
            case Const(value=value):
                return "none" if value is None else type(value).__name__
            case Name(id=name):
                found = self.lookup(name)
                return found and found.removesuffix("?")
            case Unary("-", operand):
                return self.want(operand, (*path, 0), NUMBERS, "`-`")
            case Unary(_, operand):
                return self.want(operand, (*path, 0), ("bool",), "`not`")
            case Binary(op, left, right):
                return self.binary(op, left, right, path)
            case Compare(ops, operands):
                return self.compare(ops, operands, path)
            case In(_, value, items):
                first = self.of(value, (*path, 0))
                for n, item in enumerate(items, 1):
                    self.comparable("==", first, item, (*path, n))
                return "bool"
            case Bool(op, operands):
                for n, operand in enumerate(operands):
                    self.want(operand, (*path, n), ("bool",), f"`{op}`")
                return "bool"
            case IfElse():
                return self.if_else(expr, path)
            case Index(value, index):
                return self.index(value, index, path)
            case Call(func, args):
                return self.call(func, args, path)
        raise TypeError(expr)

    def want(self, expr: Expr, path: Path, allowed: tuple[str, ...], by: str) -> str | None:
        """Return the type of `expr`. Raises `TypeMismatch` if the type is not in `allowed`.

        `by` names the operator or function that `expr` is an operand of, for the message.
        """
        found = self.of(expr, path)
        if found is None or found in allowed:
            return found
        wanted = "a number" if allowed == NUMBERS else _either(allowed)
        hint = ""
        if found == "int" and allowed == ("bool",):
            hint = "write the comparison out: `n != 0`"
        if found in ("ints", "tensor") and "int" in allowed:
            hint = (
                "`prod(...)` and `len(...)` make a group a number"
                if found == "ints"
                else "`numel(...)` is its size"
            )
        raise TypeMismatch(f"{by} takes {wanted}, not {WORDS[found]}", path, hint)

    def binary(self, op: str, left: Expr, right: Expr, path: Path) -> str | None:
        allowed = ("int",) if op in ("//", "%") else NUMBERS
        a = self.want(left, (*path, 0), allowed, f"`{op}`")
        b = self.want(right, (*path, 1), allowed, f"`{op}`")
        if op in ("/", "//", "%") and right in (Const(0), Const(0.0)):
            raise TypeMismatch(f"`{op}` by zero", (*path, 1))
        if op == "/" or "float" in (a, b):
            return "float"
        match right:
            case Const(int() as exponent) if op == "**" and exponent < 0:
                return "float"
        return None if None in (a, b) else "int"

    def compare(self, ops: tuple[str, ...], operands: tuple[Expr, ...], path: Path) -> str:
        found = self.of(operands[0], (*path, 0))
        for n, (op, right) in enumerate(zip(ops, operands[1:])):
            if op not in ("==", "!=") and found is not None and found not in NUMBERS:
                raise TypeMismatch(f"`{op}` compares numbers, not {WORDS[found]}", (*path, n))
            found = self.comparable(op, found, right, (*path, n + 1))
        return "bool"

    def comparable(self, op: str, left: str | None, right: Expr, path: Path) -> str | None:
        found = self.of(right, path)
        if left is None or found is None:
            return found
        if left != found and not {left, found} <= {*NUMBERS}:
            help_ = ""
            if {left, found} == {"dtype", "str"}:
                help_ = "a dtype is written bare: `T == bf16`"
            if "none" in (left, found):
                help_ = "`present(...)` asks whether something is there"
            raise TypeMismatch(
                f"`{op}` cannot compare {WORDS[left]} with {WORDS[found]}", path, help_
            )
        if found not in COMPARED:
            raise TypeMismatch(f"{WORDS[found]} cannot be compared", path)
        return found

    def if_else(self, expr: IfElse, path: Path) -> str | None:
        self.want(expr.test, (*path, 0), ("bool",), "`if`")
        body, orelse = self.of(expr.body, (*path, 1)), self.of(expr.orelse, (*path, 2))
        if body is None or orelse is None or body == orelse:
            return body or orelse
        if {body, orelse} == {*NUMBERS}:
            return "float"
        raise TypeMismatch(
            f"the branches of `if` differ: {WORDS[body]} and {WORDS[orelse]}", (*path, 2)
        )

    def index(self, value: Expr, index: Expr, path: Path) -> str | None:
        if index == Name("i"):
            # `s[i]`: a size of the i-th tensor of a list, or an element of an attr.
            found = self.want(value, (*path, 0), ("int", "ints"), "`[i]`")
            return found and "int"
        found = self.want(value, (*path, 0), ("ints", "floats"), "`[...]`")
        self.want(index, (*path, 1), ("int",), "an index")
        return found and found.removesuffix("s")

    def call(self, func: str, args: tuple[Expr, ...], path: Path) -> str | None:
        by = f"`{func}`"
        if func == "present":
            return self.present(args[0], (*path, 0))
        if func in ("min", "max", *ELEMENTWISE):
            types = [self.want(a, (*path, n), NUMBERS, by) for n, a in enumerate(args)]
            if func in ELEMENTWISE:
                return types[0] if func in ("abs", "sign") else "float"
            return "float" if "float" in types else None if None in types else "int"
        if func == "sum":
            allowed = ("ints", "floats", *(NUMBERS if self.elementwise else ()))
            found = self.want(args[0], (*path, 0), allowed, by)
            return found and found.removesuffix("s")
        parameters, result = SIGNATURES[func]
        for n, (arg, allowed) in enumerate(zip(args, parameters)):
            if not (self.elementwise and "tensor" in allowed):
                self.want(arg, (*path, n), allowed, by)
        return result

    def present(self, arg: Expr, path: Path) -> str:
        if not isinstance(arg, Name):
            raise TypeMismatch("`present` takes a name", path)
        found = self.lookup(arg.id)
        if found is not None and not found.endswith("?"):
            if found not in ("tensor", "list"):
                raise TypeMismatch(
                    f"`present` takes a tensor or an optional attr, not {WORDS[found]}", path
                )
            raise TypeMismatch(
                f"`{arg.id}` is always present",
                path,
                f"make it `optional`, give it a `when`, or leave `present({arg.id})` out",
            )
        return "bool"


def _either(allowed: tuple[str, ...]) -> str:
    words = [WORDS[a] for a in allowed]
    return " or ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)
