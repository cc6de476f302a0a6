"""Evaluate the postfix programs of gradient rules in Python.

The results match those of the compiled autograd library. Values are tensors, numbers, strings,
dtypes and lists. An absent value is None, and every operator returns None for such a value. A
number never changes the dtype of a tensor.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import SymBool, SymFloat, SymInt, Tensor

from ..core.kinds import is_list
from .dtypes import DTYPES

Program = Sequence[tuple[str, Any]]
"""Steps: ("operator", its function), ("constant", its value), ("operand", its word)."""


def parse(words: Sequence[str]) -> Program:
    steps: list[tuple[str, Any]] = []
    for word in words:
        if word in OPERATORS:
            steps.append(("operator", OPERATORS[word]))
        elif (constant := parse_constant(word)) is not None:
            steps.append(("constant", constant[0]))
        else:
            steps.append(("operand", word))
    return steps


def parse_constant(word: str) -> tuple[Any] | None:
    """Return a tuple with the constant that `word` denotes; None if `word` is not a constant."""
    if word in DTYPES:
        return (DTYPES[word],)
    if word in ("True", "False", "None"):
        return ({"True": True, "False": False, "None": None}[word],)
    if word[0] == "'":
        return (word[1:-1],)
    if word[0] == "[":
        kind = float if set(word) & set(".einf") else int
        return ([kind(each) for each in word[1:-1].split(",") if each],)
    for number in (int, float):
        try:
            return (number(word),)
        except ValueError:
            pass
    return None


def evaluate(program: Program, load: Callable[[str], Any]) -> Any:
    """Run a postfix program and return its value. `load` returns its operands."""
    stack: list[Any] = []
    for kind, step in program:
        if kind == "operator":
            count, function = step
            stack[-count:] = [function(*stack[-count:])]
        else:
            stack.append(step if kind == "constant" else load(step))
    (value,) = stack
    return value


def is_true(value: Any) -> bool:
    return bool(value != 0)


def _is_whole(value: Any) -> bool:
    return isinstance(value, (int, SymInt, SymBool))


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, (bool, SymBool)) else value


def _real(value: Any) -> Any:
    """Convert a value to a float. If it comes from a symbol, return the symbolic float.

    Reading the value of a symbol would specialise a compiled program.
    """
    if isinstance(value, (SymInt, SymFloat)):
        return torch.sym_float(value)
    return float(int(value)) if _is_whole(value) else float(value)


def _binary(tensors: Callable[[Any, Any], Any], numbers: Callable[[Any, Any], Any]) -> Any:
    """Return an operator for two tensors, for a tensor and a number, and for two numbers."""

    def compute(a: Any, b: Any) -> Any:
        if a is None or b is None:
            return None
        if isinstance(a, Tensor) or isinstance(b, Tensor):
            return tensors(a, b)
        if _is_whole(a) and _is_whole(b):
            return numbers(_whole(a), _whole(b))
        return numbers(_real(a), _real(b))

    return 2, compute


def _comparison(tensors: Callable[[Any, Any], Any], swapped: Any, numbers: Any) -> Any:
    """Return a comparison operator. `swapped` is the comparison with its operands exchanged: `<`
    for `>`.
    """

    def of_tensors(a: Any, b: Any) -> Any:
        return tensors(a, b) if isinstance(a, Tensor) else swapped(b, a)

    return _binary(of_tensors, lambda a, b: bool(numbers(a, b)))


def _equality(tensors: Callable[[Any, Any], Any], negated: bool) -> Any:
    _, numbers = _comparison(tensors, tensors, lambda a, b: (a == b) != negated)

    def compute(a: Any, b: Any) -> Any:
        if isinstance(a, (str, torch.dtype)) or isinstance(b, (str, torch.dtype)):
            return (a == b) != negated
        return numbers(a, b)

    return 2, compute


def _logical(tensors: Callable[[Any, Any], Any], neutral: bool) -> Any:
    """Return the operator `and` or `or`. `neutral` is the value that does not change the result."""

    def compute(a: Any, b: Any) -> Any:
        if isinstance(a, Tensor) and isinstance(b, Tensor):
            return tensors(a, b)
        if isinstance(a, Tensor):
            return a if is_true(b) == neutral else b
        return b if is_true(a) == neutral else a

    return 2, compute


def _unary(tensors: Callable[[Any], Any], numbers: Callable[[float], Any]) -> Any:
    def compute(a: Any) -> Any:
        if isinstance(a, Tensor):
            return tensors(a)
        return None if a is None else numbers(_real(a))

    return 1, compute


def _of(function: Callable[..., Any], count: int = 1) -> Any:
    """Return `function`, extended to return None if an argument is None."""

    def compute(*values: Any) -> Any:
        return None if any(value is None for value in values) else function(*values)

    return count, compute


def _as_c(function: Callable[..., float], at_zero: float = math.nan) -> Callable[..., float]:
    """Return `function`, extended to return infinity or NaN where C does and Python raises an
    error.

    `at_zero` is the result of a division by zero.
    """

    def compute(*numbers: float) -> float:
        try:
            return function(*numbers)
        except OverflowError:
            return math.inf
        except (ValueError, ZeroDivisionError):
            return at_zero if numbers[0] == 0 else math.nan

    return compute


def _divide(one: Any, other: Any) -> Any:
    a, b = _real(one), _real(other)
    if isinstance(a, SymFloat) or isinstance(b, SymFloat):
        return a / b
    if b != 0 or math.isnan(a):
        return a / b if b != 0 else a
    infinite = math.copysign(math.inf, b)
    return math.nan if a == 0 else infinite if a > 0 else -infinite


def _floor_divide(a: Any, b: Any) -> Any:
    return _divide(a, b) if isinstance(b, float) and b == 0 else a // b


def _remainder(a: Any, b: Any) -> Any:
    return math.nan if isinstance(b, float) and b == 0 else a % b


def _power(a: Any, b: Any) -> Any:
    if isinstance(a, (SymInt, SymFloat)) or isinstance(b, (SymInt, SymFloat)):
        return a**b
    power = _as_c(math.pow, math.inf)(_real(a), _real(b))
    if not _is_whole(a):
        return power
    return a**b if b >= 0 else int(math.copysign(math.floor(abs(power) + 0.5), power))


def _smaller(a: Any, b: Any) -> Any:
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return torch.minimum(a, b)
    return torch.clamp_max(a, b) if isinstance(a, Tensor) else torch.clamp_max(b, a)


def _larger(a: Any, b: Any) -> Any:
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return torch.maximum(a, b)
    return torch.clamp_min(a, b) if isinstance(a, Tensor) else torch.clamp_min(b, a)


def _not(a: Any) -> Any:
    return torch.logical_not(a) if isinstance(a, Tensor) else not is_true(a)


def _where(condition: Any, value: Any, other: Any) -> Any:
    if isinstance(condition, Tensor):
        return torch.where(condition, value, other)
    if condition is None:
        return None
    return value if is_true(condition) else other


def _present(value: Any) -> bool:
    return value is not None and not (is_list(value) and len(value) == 0)


def _item(values: Sequence[Any], index: int) -> Any:
    """Return an element of a list; None if the index is out of range.

    An index may be out of range in a branch of an `if` that is not taken.
    """
    return values[index] if -len(values) <= index < len(values) else None


def _slice(values: Sequence[Any], first: int, last: int) -> Any:
    return list(values[first:last]) if 0 <= first <= last <= len(values) else None


def _insert(tensor: Tensor, position: int, count: int) -> Tensor:
    for _ in range(count):
        tensor = tensor.unsqueeze(position)
    return tensor


def _reduce(tensor: Tensor, position: int, count: int) -> Tensor:
    return tensor.sum([*range(position, position + count)]) if count > 0 else tensor


def _move(tensor: Tensor, start: int, position: int, count: int) -> Tensor:
    to = range(position, position + count)
    return torch.movedim(tensor, tuple(range(start, start + count)), tuple(to))


OPERATORS: dict[str, tuple[int, Callable[..., Any]]] = {
    "+": _binary(lambda a, b: a + b, lambda a, b: a + b),
    "*": _binary(lambda a, b: a * b, lambda a, b: a * b),
    "-": _binary(lambda a, b: a - b, lambda a, b: a - b),
    # `torch.div` divides a number by a tensor directly. `/` multiplies by the tensor's reciprocal.
    "/": _binary(torch.div, _divide),
    "//": _binary(torch.floor_divide, _floor_divide),
    "%": _binary(torch.remainder, _remainder),
    "**": _binary(torch.pow, _power),
    "min": _binary(_smaller, torch.sym_min),
    "max": _binary(_larger, torch.sym_max),
    "<": _comparison(torch.lt, torch.gt, lambda a, b: a < b),
    "<=": _comparison(torch.le, torch.ge, lambda a, b: a <= b),
    ">": _comparison(torch.gt, torch.lt, lambda a, b: a > b),
    ">=": _comparison(torch.ge, torch.le, lambda a, b: a >= b),
    "==": _equality(torch.eq, False),
    "!=": _equality(torch.ne, True),
    "and": _logical(torch.logical_and, True),
    "or": _logical(torch.logical_or, False),
    "not": (1, _not),
    "neg": (1, lambda a: None if a is None else -a),
    "exp": _unary(torch.exp, _as_c(math.exp)),
    "log": _unary(torch.log, _as_c(math.log, -math.inf)),
    "sqrt": _unary(torch.sqrt, _as_c(math.sqrt)),
    "rsqrt": _unary(torch.rsqrt, _as_c(lambda a: 1 / math.sqrt(a), math.inf)),
    "tanh": _unary(torch.tanh, math.tanh),
    "erf": _unary(torch.erf, math.erf),
    "abs": _unary(torch.abs, abs),
    "sign": _unary(torch.sgn, lambda a: (a > 0) - (a < 0)),
    "sin": _unary(torch.sin, _as_c(math.sin)),
    "cos": _unary(torch.cos, _as_c(math.cos)),
    "where": (3, _where),
    "present": (1, _present),
    "rank": _of(lambda x: x.dim()),
    "sizes": _of(lambda x: list(x.shape)),
    "strides": _of(lambda x: list(x.stride())),
    "item": _of(_item, 2),
    "slice": _of(_slice, 3),
    "len": _of(len),
    "dtype": _of(lambda x: x.dtype),
    "prod": _of(math.prod),
    "sum": _of(sum),
    "insert": _of(_insert, 3),
    "reduce": _of(_reduce, 3),
    "move": _of(_move, 4),
}
