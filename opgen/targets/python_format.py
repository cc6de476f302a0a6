"""Lays rendered Python out as black would.

Black formats some 6,000 lines a second and is too slow for `render`, so what
may grow past a line is laid out here, by black's rules: on one line if it fits; else the
content of the outermost brackets on a line of its own; else one item a line with a
trailing comma. A test holds black against it.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from opgen.language.expr.python import quoted

WIDTH = 100
# What opens a tuple, and no call: one with a lone item has a comma behind it.
_TUPLE = re.compile(r"(?:^|[^\w\])])\($")

__all__ = [
    "WIDTH",
    "Display",
    "Node",
    "bracketed",
    "call",
    "comment",
    "conditional",
    "conditional_item",
    "define",
    "docstring",
    "import_from",
    "quoted",
    "tuple_of",
]


def call(
    head: str, items: Sequence[str], tail: str = ")", indent: int = 0, *, fits: bool = True
) -> str:
    """`head` + items + `tail`, which open and close one pair of brackets.

    `head` ends with the bracket: `"return infer("`. The first line carries no indent, the
    others do, so that a template can place the text anywhere. `fits=False` says that
    one line is too short for it, for a reason that is not seen from here.
    """
    return _lay_out(head, items, tail, indent, fits=fits, lone_comma=False)


def define(head: str, items: Sequence[str], tail: str, indent: int = 0) -> str:
    """A `def`, as `call`; black gives a lone parameter that is split off a trailing comma."""
    return _lay_out(head, items, tail, indent, fits=True, lone_comma=True)


def bracketed(head: str, items: Sequence[str], tail: str, indent: int = 0) -> str:
    """A collection literal or a call: on one line if it fits, else one item a line."""
    lone = len(items) == 1 and _TUPLE.search(head) is not None
    one = f"{head}{', '.join(items)}{',' if lone else ''}{tail}"
    if "\n" not in one and indent + len(one) <= WIDTH:
        return one
    lines = "".join(f"{' ' * (indent + 4)}{item},\n" for item in items)
    return f"{head}\n{lines}{' ' * indent}{tail}"


@dataclass(frozen=True)
class Node:
    """A call whose arguments may be calls: laid out when its place is known."""

    head: str
    items: Sequence[str | Node]
    tail: str = ")"

    def text(self, indent: int, comma: str = "") -> str:
        """The call, with room for a `comma` after it; the first line carries no indent."""
        items = self._items(indent, "," if len(self.items) > 1 else "")
        return call(self.head, items, self.tail + comma, indent).removesuffix(comma)

    def line(self) -> str:
        """The call on one line, however long."""
        items = (x if isinstance(x, str) else x.line() for x in self.items)
        return f"{self.head}{', '.join(items)}{self.tail}"

    def _items(self, indent: int, comma: str) -> list[str]:
        return [x if isinstance(x, str) else x.text(indent + 4, comma) for x in self.items]


class Display(Node):
    """A tuple or dict that is an argument of a call which has a line for each."""

    def text(self, indent: int, comma: str = ",") -> str:
        return bracketed(self.head, self._items(indent, ","), f"{self.tail},", indent)[:-1]


def _lay_out(
    head: str, items: Sequence[str], tail: str, indent: int, *, fits: bool, lone_comma: bool
) -> str:
    pad, inner = " " * indent, " " * (indent + 4)
    joined = ", ".join(items)
    multiline = "\n" in joined
    if fits and not multiline and len(pad + head + joined + tail) <= WIDTH:
        return head + joined + tail
    comma = "," if lone_comma and len(items) == 1 else ""
    if not multiline and len(inner + joined + comma) <= WIDTH:
        return f"{head}\n{inner}{joined}{comma}\n{pad}{tail}"
    lines = "".join(f"{inner}{item},\n" for item in items)
    return f"{head}\n{lines}{pad}{tail}"


def conditional_line(choices: Sequence[tuple[str, str]], rest: str) -> str:
    """`a if x else b if y else rest` of `choices` (a, x) and (b, y), on one line."""
    return "".join(f"{value} if {test} else " for value, test in choices) + rest


def conditional(choices: Sequence[tuple[str, str]], rest: str, indent: int) -> str:
    """The same within brackets, on as many lines as it takes.

    The first line carries no indent.
    """
    one = conditional_line(choices, rest)
    if indent + len(one) <= WIDTH or not choices:
        return one
    pad = " " * indent
    (value, test), *others = choices
    other = conditional(others, rest, indent + 4)
    if others and ("\n" in other or indent + len(f"else {other}") > WIDTH):
        other = f"(\n{pad}    {other}\n{pad})"
    return f"{value}\n{pad}if {test}\n{pad}else {other}"


def conditional_item(choices: Sequence[tuple[str, str]], rest: str, indent: int) -> str:
    """A conditional that is an item of a call or tuple with a line for each, `indent` deep."""
    item = conditional(choices, rest, indent + 1)  # a comma follows
    if "\n" not in item:
        return item
    pad = " " * indent
    return f"(\n{pad}    {conditional(choices, rest, indent + 4)}\n{pad})"


def tuple_of(items: Iterable[str]) -> str:
    """A tuple display on one line."""
    items = list(items)
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def docstring(text: str, indent: int = 0) -> str:
    """A docstring: paragraphs are wrapped, indented lines kept as they are."""
    text = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    pad = " " * indent
    lines: list[str] = []
    for number, line in enumerate(text.strip("\n").split("\n")):
        if line.startswith(" ") or len(line) + indent <= WIDTH - (3 if number == 0 else 0):
            lines.append(line.rstrip())
        else:
            width = WIDTH - indent
            first = "   " if number == 0 else ""
            # Where a long word is broken, an escape would be.
            lines += textwrap.wrap(line, width, initial_indent=first, break_long_words=False)
            if number == 0:
                lines[0] = lines[0].lstrip()
    if len(lines) == 1:
        body = lines[0] + (" " if lines[0].endswith('"') else "")
        return f'"""{body}"""'
    placed = [lines[0], *(pad + line if line else "" for line in lines[1:])]
    return '"""' + "\n".join(placed) + f'\n{pad}"""'


def comment(text: str, indent: int = 0) -> str:
    """A wrapped comment."""
    wrapped = textwrap.wrap(text, WIDTH - indent - 2)
    return ("\n" + " " * indent).join(f"# {line}" for line in wrapped)


def import_from(module: str, names: Iterable[str]) -> str:
    """`from module import names`, sorted as isort does: constants, classes, functions."""
    ordered = sorted(
        set(names), key=lambda n: (0 if n.isupper() else 1 if n[0].isupper() else 2, n)
    )
    line = f"from {module} import {', '.join(ordered)}"
    if len(line) <= WIDTH:
        return line
    return f"from {module} import (\n" + "".join(f"    {name},\n" for name in ordered) + ")"
