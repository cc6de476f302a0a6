"""How an op is differentiated, as objects. Rendered by opgen.

`text` puts them into the words that the autograd library reads. What a gradient names of a
call is saved for the backward; nothing else is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any

import torch

from .kinds import spec_names


def _binary(operator: str) -> tuple[Callable[[Any, Any], Value], Callable[[Any, Any], Value]]:
    """An operator between two values, and the same with the other value in front."""
    return lambda a, b: apply(operator, a, b), lambda a, b: apply(operator, b, a)


def _unary(operator: str) -> Callable[[Any], Value]:
    return lambda a: apply(operator, a)


class Value:
    """Something of a call, or what is computed of it: tensors, numbers, sizes, dtypes."""

    __slots__ = ("lets", "words")

    def __init__(self, words: str, lets: Mapping[str, str] = {}) -> None:
        self.words, self.lets = words, lets

    def insert(self, position: Any, count: Any) -> Value:
        """With `count` dims of size 1 from `position` on."""
        return apply("insert", self, position, count)

    def reduce(self, position: Any, count: Any) -> Value:
        """Summed over `count` dims from `position` on."""
        return apply("reduce", self, position, count)

    def move(self, start: Any, position: Any, count: Any) -> Value:
        """With the `count` dims from `start` on moved to `position`."""
        return apply("move", self, start, position, count)

    def __getitem__(self, place: Any) -> Value:
        return apply("item", self, place)

    def slice(self, start: Any, stop: Any) -> Value:
        """The elements of a list from `start` to `stop`."""
        return apply("slice", self, start, stop)

    __add__, __radd__ = _binary("+")
    __sub__, __rsub__ = _binary("-")
    __mul__, __rmul__ = _binary("*")
    __truediv__, __rtruediv__ = _binary("/")
    __floordiv__, __rfloordiv__ = _binary("//")
    __mod__, __rmod__ = _binary("%")
    __pow__, __rpow__ = _binary("**")
    __and__, __rand__ = _binary("and")
    __or__, __ror__ = _binary("or")
    __lt__, __gt__ = _binary("<")[0], _binary(">")[0]
    __le__, __ge__ = _binary("<=")[0], _binary(">=")[0]
    # Those of any object give a bool.
    __eq__ = _binary("==")[0]  # type: ignore[assignment]
    __ne__ = _binary("!=")[0]  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]
    __neg__, __invert__ = _unary("neg"), _unary("not")
    exp, log, sqrt, rsqrt = _unary("exp"), _unary("log"), _unary("sqrt"), _unary("rsqrt")
    tanh, erf, sin, cos = _unary("tanh"), _unary("erf"), _unary("sin"), _unary("cos")
    abs, sign, prod, sum = _unary("abs"), _unary("sign"), _unary("prod"), _unary("sum")
    rank, sizes = property(_unary("rank")), property(_unary("sizes"))
    strides, dtype = property(_unary("strides")), property(_unary("dtype"))


def apply(operator: str, *operands: Any) -> Value:
    """An operator of the autograd library on values and constants."""
    lets: dict[str, str] = {}
    for operand in operands:
        lets |= operand.lets if isinstance(operand, Value) else {}
    return Value(" ".join([*map(_words, operands), operator]), lets)


def _words(value: Any) -> str:
    if isinstance(value, Value):
        return value.words
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, tuple):
        return f"[{','.join(map(repr, value))}]"
    return repr(value)


def argument(name: str) -> Value:
    """An argument of the call: an input or an attr."""
    return Value(f"input:{name}")


def result(name: str) -> Value:
    """A result of the call."""
    return Value(f"result:{name}")


def cotangent(name: str) -> Value:
    """The gradient that arrives for a result: zeros where there is none."""
    return Value(f"cotangent:{name}")


def forward(name: str, value: Value) -> Value:
    """`value`, of arguments, computed in the forward: a size or an option."""
    return Value(f"let:{name}", {**value.lets, name: value.words})


def dtype(name: str) -> Value:
    """A dtype by its name in specs."""
    return Value(name)


def where(condition: Any, value: Any, other: Any) -> Value:
    """`value` where `condition` holds, else `other`."""
    return apply("where", condition, value, other)


def present(value: Value) -> Value:
    """Whether an optional argument is given."""
    return apply("present", value)


def length(value: Value) -> Value:
    """How many elements a list has."""
    return apply("len", value)


def smaller(one: Any, other: Any) -> Value:
    return apply("min", one, other)


def larger(one: Any, other: Any) -> Value:
    return apply("max", one, other)


class Formula:
    """The gradient of one input, as an expression of cotangents, arguments and results."""

    def __init__(self, of: str, value: Value) -> None:
        self.of, self.value = of, value

    def lines(self, op: torch._ops.OpOverload) -> Iterable[str]:
        yield from _lets(self.value)
        yield f"formula {self.of} {_words(self.value)}"


class Backward:
    """An op whose results are the gradients of inputs: `gives`, None for one that is none.

    Its arguments, by their names: `cotangents` of results; `saved` of the call under the same
    name; and `given`, values. Others are None. `only_for` names results that must be asked
    for, else an argument is None.
    """

    def __init__(
        self,
        name: str,
        gives: Sequence[str | None],
        *,
        cotangents: Mapping[str, str] = {},
        saved: Sequence[str] = (),
        given: Mapping[str, Any] = {},
        only_for: Mapping[str, Sequence[str]] = {},
    ) -> None:
        self.name, self.gives = name, gives
        self.cotangents, self.saved, self.given = cotangents, saved, given
        self.only_for = only_for

    def lines(self, op: torch._ops.OpOverload) -> Iterable[str]:
        yield from _lets(*self.given.values())
        inputs = {each.name for each in op._schema.arguments}
        library = getattr(torch.ops, op._schema.name.partition("::")[0])
        arguments = getattr(library, self.name).default._schema.arguments
        words = [self._words(each, inputs) for each in arguments]
        gives = [name or "_" for name in self.gives]
        yield " ".join(["call", self.name, *words, "->", *gives])

    def _words(self, argument: torch.Argument, inputs: set[str]) -> str:
        name = argument.name
        if name in self.cotangents:
            optional = isinstance(argument.type, torch.OptionalType)
            words = f"cotangent{'?' if optional else ''}:{self.cotangents[name]}"
        elif name in self.saved:
            words = f"{'input' if name in inputs else 'result'}:{name}"
        elif name in ("needed", "wanted") and name not in self.given:
            return name
        else:
            words = _words(self.given.get(name))
        only_for = ",".join(self.only_for.get(name, ()))
        return f"{words}@{only_for}" if only_for else words


class Zero:
    """Inputs whose gradient is zero."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def lines(self, op: torch._ops.OpOverload) -> Iterable[str]:
        yield f"zero {' '.join(self.names)}"


class Refuse:
    """Inputs whose gradient is an error to ask for."""

    def __init__(self, *names: str, why: str = "") -> None:
        self.names, self.why = names, why

    def lines(self, op: torch._ops.OpOverload) -> Iterable[str]:
        yield f"refuse {' '.join(self.names)}" + (f" : {self.why}" if self.why else "")


class Require:
    """What must hold of a call that a gradient will be taken of."""

    def __init__(self, condition: Value, message: str) -> None:
        self.condition, self.message = condition, message

    def lines(self, op: torch._ops.OpOverload) -> Iterable[str]:
        yield f"require {_words(self.condition)} : {self.message}"


class Case:
    """The gradient where a condition holds; where none does, that of `condition=None`."""

    def __init__(self, condition: Value | None, *gradient: Any) -> None:
        self.condition, self.gradient = condition, gradient

    def lines(self, op: torch._ops.OpOverload) -> Iterable[str]:
        yield "else" if self.condition is None else f"case {_words(self.condition)}"
        yield from _lines(self.gradient, op)


def _lines(gradient: Sequence[Any], op: torch._ops.OpOverload) -> Iterable[str]:
    found = (line for each in gradient for line in each.lines(op))
    if any(isinstance(each, Case) for each in gradient):
        return found
    return dict.fromkeys(found)  # two formulas may read one size


def _lets(*values: Any) -> Iterable[str]:
    for value in values:
        if isinstance(value, Value):
            yield from (f"let {name} {words}" for name, words in value.lets.items())


def text(
    op: torch._ops.OpOverload,
    gradient: Sequence[Any],
    constant: Sequence[str] = (),
    residuals: Sequence[str] = (),
    autocast: str | None = None,
) -> str:
    """The rule of an op, a line for each fact."""
    name = op._schema.name.partition("::")[2]
    lines = [" ".join(["op", name, "->", *(each.name for each in op._schema.returns)])]
    if constant:
        lines.append(f"constant {' '.join(constant)}")
    if residuals:
        lines.append(f"residual {' '.join(residuals)}")
    if autocast:
        lines.append(f"autocast {autocast}")
    return "\n".join([*lines, *_in_schema(op, _lines(gradient, op))])


def _in_schema(op: torch._ops.OpOverload, lines: Iterable[str]) -> Iterable[str]:
    """Lines of words that name arguments as the spec does, with their names in the schema."""
    pairs = zip(spec_names(op._schema), op._schema.arguments)
    names = {name: each.name for name, each in pairs if each.name != name}
    if not names:
        return lines
    words = ([*map(str.rpartition, line.split(" "), repeat(":"))] for line in lines)
    return [" ".join(a + b + names.get(c, c) for a, b, c in line) for line in words]
