"""Spells postfix programs as Python: operators and methods of `runtime/gradient.py`'s values."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Mapping, Sequence
from dataclasses import replace

from opgen.language.dtypes import DTYPES
from opgen.language.expr.python import literal, raised
from opgen.language.expr.syntax import ELEMENTWISE
from opgen.targets.python_format import Chain, Node, quoted

ATOM, NEGATION, POWER, PRODUCT, SUM, AND, OR, COMPARISON = range(8, 0, -1)
BINARY = {"**": POWER, "*": PRODUCT, "/": PRODUCT, "//": PRODUCT, "%": PRODUCT, "+": SUM, "-": SUM}
BINARY |= dict.fromkeys(("<", "<=", ">", ">=", "==", "!="), COMPARISON)
LOGICAL = {"and": ("&", AND), "or": ("|", OR)}
UNARY = {"neg": "-", "not": "~"}
METHODS = dict.fromkeys((*ELEMENTWISE, "prod", "sum"), 0)
METHODS |= {"insert": 2, "reduce": 2, "move": 3, "slice": 2}
PROPERTIES = ("rank", "sizes", "strides", "dtype")
FUNCTIONS = {
    "where": ("where", 3),
    "present": ("present", 1),
    "len": ("length", 1),
    "min": ("smaller", 2),
    "max": ("larger", 2),
}
OPERANDS = {"input": "argument", "result": "result", "cotangent": "cotangent"}

Spelling = tuple[str | Node, int]  # with how tightly its last operator binds


def spelled(words: list[str], lets: Mapping[str, list[str]], key: str = "") -> str | Node:
    """The value of a program, after `key`; `lets` has the programs of the forward."""
    stack: list[Spelling] = []

    def taken(count: int) -> list[Spelling]:
        found = stack[len(stack) - count :]
        del stack[len(stack) - count :]
        return found

    items: Sequence[str | Node]
    for word in words:
        if word in BINARY or word in LOGICAL:
            operator, level = LOGICAL.get(word) or (word, BINARY[word])
            left, right = taken(2)
            # A comparison is no operand of another; `**` binds its right side first.
            apart = level in (COMPARISON, POWER)
            first, last = _within(left, level + apart), _within(right, level + 1)
            if operator == "**" and isinstance(first, str) and isinstance(last, str):
                stack.append((raised(first, last), level))
                continue
            items = (first, last)
            if isinstance(first, Chain) and first.head == operator:
                items = (*first.items, last)
            stack.append((Chain(operator, items), level))
        elif word in UNARY:
            stack.append((f"{UNARY[word]}{_line(taken(1)[0], NEGATION)}", NEGATION))
        elif word in METHODS:
            value, *given = taken(1 + METHODS[word])
            items = [value for value, _ in given]
            stack.append((Node(f"{_line(value, ATOM)}.{word}(", items), ATOM))
        elif word in PROPERTIES:
            stack.append((f"{_line(taken(1)[0], ATOM)}.{word}", ATOM))
        elif word == "item":
            value, place = taken(2)
            stack.append((f"{_line(value, ATOM)}[{_line(place, 0)}]", ATOM))
        elif word in FUNCTIONS:
            name, count = FUNCTIONS[word]
            items = [value for value, _ in taken(count)]
            stack.append((Node(f"_runtime.{name}(", items), ATOM))
        else:
            stack.append((_operand(word, lets), ATOM))
    ((whole, _),) = stack
    return key + whole if isinstance(whole, str) else replace(whole, head=key + whole.head)


def _within(spelling: Spelling, level: int) -> str | Node:
    value, own = spelling
    return value if own >= level else f"({_line(spelling, 0)})"


def _line(spelling: Spelling, level: int) -> str:
    value = _within(spelling, level)
    return value if isinstance(value, str) else value.line()


def _operand(word: str, lets: Mapping[str, list[str]]) -> str | Node:
    kind, colon, name = word.partition(":")
    if colon and kind in OPERANDS:
        return f"_runtime.{OPERANDS[kind]}({quoted(name)})"
    if colon and kind == "let":
        return Node("_runtime.forward(", (quoted(name), spelled(lets[name], lets)))
    if word in DTYPES:
        return f"_runtime.dtype({quoted(word)})"
    value = literal_eval(word)
    return literal(tuple(value) if isinstance(value, list) else value)
