"""Print expressions as C++ with the types of `runtime/include/opgen`.

Integers are `opgen::Int`: 64 bits, with divisions that round down like Python's. If a result does
not fit in 64 bits, the code throws an exception. Floats are `double`, dtypes `opgen::ElementType`,
groups `opgen::Sizes`, strings `std::string_view`, tensors `opgen::Buffer`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache

from opgen.language.dtypes import DTYPES
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
    Value,
)
from opgen.source.frozen import dataclass

# The C++ precedences of printed expressions: a higher number binds tighter.
TERNARY, OR, AND, COMPARE, ADD, MULTIPLY, UNARY, POSTFIX = range(8)
_LEVELS = {"+": ADD, "-": ADD, "*": MULTIPLY, "//": MULTIPLY, "%": MULTIPLY}


@dataclass(frozen=True)
class CppPrinter:
    """Prints the expressions of one op as C++.

    `floats` holds the names of floats, `float_groups` the names of lists of floats. All other
    numbers are integers. `optional` holds the attrs that may be None. `made` holds the tensors that
    the call allocates; `<name>present()` returns whether such a tensor exists. `name` returns the
    C++ text of a name.
    """

    floats: Collection[str] = ()
    float_groups: Collection[str] = ()
    optional: Collection[str] = ()
    made: Collection[str] = ()
    name: Callable[[str], str] = str

    def __call__(self, expr: Expr, outer: int = 0) -> str:
        """Return `expr` as C++, in parentheses if it binds less tightly than `outer`."""
        match expr:
            case Const():
                return _const(expr.value)
            case Name(id=id):
                return self._name(id)
            case Unary("-", operand):
                text = self._number(operand, UNARY)
                return _paren(UNARY, outer, f"- {text}" if text[0] == "-" else f"-{text}")
            case Unary(_, operand):
                return _paren(UNARY, outer, "!" + self(operand, UNARY))
            case Binary():
                return self._binary(expr, outer)
            case Compare():
                return self._compare(expr, outer)
            case In(op, value, items):
                return _paren(COMPARE, outer, self._in(op, value, items))
            case Bool(op, operands):
                level, word = (AND, " && ") if op == "and" else (OR, " || ")
                # Compilers warn about `&&` inside `||` without parentheses, so both operators get
                # parentheses.
                return _paren(level, outer, word.join(self(o, COMPARE) for o in operands))
            case IfElse(test, body, orelse):
                return _paren(TERNARY, outer, self._choice(test, body, orelse))
            case Index(value, index):
                return f"{self(value, POSTFIX)}[{self(index)}]"
            case Call(func, args):
                return self._call(func, args)
        raise TypeError(expr)

    def is_float(self, expr: Expr) -> bool:
        """Return whether the value of `expr` is a float."""
        match expr:
            case Const(value=value):
                return isinstance(value, float)
            case Name(id=id):
                return id in self.floats
            case Unary("-", operand):
                return self.is_float(operand)
            case Binary("/", _, _):
                return True
            case Binary("**", _, Const(value=int() as exponent)) if exponent < 0:
                return True
            case Binary(_, left, right):
                return self.is_float(left) or self.is_float(right)
            case IfElse(_, body, orelse):
                return self.is_float(body) or self.is_float(orelse)
            case Index(value=Name(id=id)):
                return id in self.float_groups
            case Call("min" | "max", args):
                return any(map(self.is_float, args))
            case Call("sum" | "prod", (Name(id=id),)):
                return id in self.float_groups
        return False

    def _float(self, expr: Expr) -> str:
        """Return `expr`, converted to a float if it is an integer."""
        match expr:
            case Const(int() as value):
                return _const(float(value))
        return self(expr) if self.is_float(expr) else f"static_cast<double>({self(expr)})"

    def _choice(self, test: Expr, body: Expr, orelse: Expr) -> str:
        if self.is_float(body) or self.is_float(orelse):
            texts = [self._float(e) for e in (body, orelse)]
        elif isinstance(orelse, Const | IfElse):
            texts = [self._number(body, OR), self(orelse, TERNARY)]
        else:
            texts = [self(body, OR), self(orelse, TERNARY)]
        return f"{self(test, OR)} ? {texts[0]} : {texts[1]}"

    def _number(self, expr: Expr, outer: int = 0) -> str:
        """Return `expr` as C++. An integer literal becomes a checked `opgen::Int`."""
        if isinstance(expr, Const) and type(expr.value) in (int, bool):
            return f"opgen::Int({_const(expr.value)})"
        return self(expr, outer)

    def _name(self, id: str) -> str:
        if id in DTYPES:
            return element_type(id)
        text = self.name(id)
        return f"(*{text})" if id in self.optional else text

    def _binary(self, expr: Binary, outer: int) -> str:
        op, left, right = expr.op, expr.left, expr.right
        floats = self.is_float(left) or self.is_float(right)
        if op == "/":
            return f"opgen::truediv({self._number(left)}, {self._number(right)})"
        if op == "**":
            make = self._float if self.is_float(expr) else self._number
            texts = [make(e) for e in (left, right)]
            return f"opgen::power({', '.join(texts)})"
        if floats and op in ("//", "%"):
            function = "floordiv" if op == "//" else "modulo"
            return f"opgen::{function}({self._float(left)}, {self._float(right)})"
        level = _LEVELS[op]
        literal = all(isinstance(e, Const) for e in (left, right))
        first = self._number(left, level) if literal else self(left, level)
        sign = "/" if op == "//" else op
        return _paren(level, outer, f"{first} {sign} {self(right, level + 1)}")

    def _compare(self, expr: Compare, outer: int) -> str:
        texts = []
        left = expr.operands[0]
        for op, right in zip(expr.ops, expr.operands[1:]):
            match left, right:
                case (Name(given), Const(None)) | (Const(None), Name(given)):
                    has = f"{self.name(given)}.has_value()"
                    texts.append(has if op == "!=" else f"!{has}")
                case _:
                    texts.append(f"{self(left, ADD)} {op} {self(right, ADD)}")
            left = right
        if len(texts) == 1:
            return _paren(COMPARE, outer, texts[0])
        return _paren(AND, outer, " && ".join(texts))

    def _in(self, op: str, left: Expr, items: tuple[Expr, ...]) -> str:
        sign, word = ("==", " || ") if op == "in" else ("!=", " && ")
        value = self(left, ADD)
        tests = word.join(f"{value} {sign} {self(item, ADD)}" for item in items)
        return f"({tests})" if items else ("false" if op == "in" else "true")

    def _call(self, func: str, args: tuple[Expr, ...]) -> str:
        match func, args:
            case "present", (Name(operand),):
                text = self.name(operand)
                if operand in self.made:
                    return f"{text}present()"
                return f"{text}.{'has_value' if operand in self.optional else 'present'}()"
        if func in ("min", "max"):
            make = self._float if any(map(self.is_float, args)) else self._number
            texts = [make(a) for a in args]
        else:
            texts = [self(a) for a in args]
        text = f"opgen::{func}({', '.join(texts)})"
        return f"opgen::Int({text})" if func == "bits" else text


def element_type(dtype: str) -> str:
    """Return the C++ enumerator of a dtype."""
    return f"opgen::ElementType::{dtype.upper()}"


_CONTROLS = {chr(n): f"\\{n:03o}" for n in (*range(32), 127)}
_ESCAPES = str.maketrans(
    _CONTROLS | {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "?": "\\?"}
)


@lru_cache(maxsize=4096)
def quoted(text: str) -> str:
    """Return a C++ string literal."""
    return f'"{text.translate(_ESCAPES)}"'


def _const(value: Value) -> str:
    if value is None:
        return "std::nullopt"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quoted(value)
    return "INT64_MIN" if value == -(2**63) else repr(value)


def _paren(level: int, outer: int, text: str) -> str:
    return f"({text})" if level < outer else text
