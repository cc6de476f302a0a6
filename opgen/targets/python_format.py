"""Print pieces of Python without line breaks. `output/format.py` breaks long lines later."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from opgen.language.expr.python import quoted

WIDTH = 100
# The width of docstrings, which the formatter does not wrap. They are indented by at most 4 spaces.
TEXT_WIDTH = WIDTH - 4

__all__ = [
    "TEXT_WIDTH",
    "WIDTH",
    "block",
    "call",
    "conditional",
    "define",
    "dict_of",
    "docstring",
    "function",
    "import_from",
    "quoted",
    "returned",
    "tuple_of",
    "unpacked",
]


def call(function: str, arguments: Iterable[str]) -> str:
    """Return the code of a call. `function` may contain more code before the name: `return f`."""
    return f"{function}({', '.join(arguments)})"


def tuple_of(items: Iterable[str]) -> str:
    """Return the code of a tuple."""
    items = list(items)
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def dict_of(items: Iterable[str]) -> str:
    """Return the code of a dict. Each item has the form `key: value`."""
    return f"{{{', '.join(items)}}}"


def returned(items: Iterable[str]) -> str:
    """Return the statement `return a, b`. A single item is returned as a tuple with one item."""
    return f"return {_shown(items)}"


def unpacked(names: Iterable[str], value: str) -> str:
    """Return the statement `a, b = value`. A single name unpacks a tuple with one item."""
    return f"{_shown(names)} = {value}"


def _shown(items: Iterable[str]) -> str:
    """Return the code of a tuple without parentheses, as in a `return` statement."""
    items = list(items)
    return ", ".join(items) if len(items) > 1 else tuple_of(items)


def conditional(choices: Sequence[tuple[str, str]], rest: str) -> str:
    """Return `a if x else b if y else rest` for the `choices` (a, x) and (b, y)."""
    return "".join(f"{value} if {test} else " for value, test in choices) + rest


def define(name: str, parameters: Iterable[str], returns: str = "") -> str:
    """Return the `def` line of a function."""
    return f"def {name}({', '.join(parameters)}){returns and f' -> {returns}'}:"


def block(head: str, statements: Iterable[str]) -> str:
    """Return the line `head`, which ends with a colon, and the indented statements below it."""
    return "\n".join([head, *map(_indented, statements)])


def _indented(text: str) -> str:
    return "\n".join([f"    {line}" if line.strip() else line for line in text.split("\n")])


def function(define: str, body: Iterable[str], *decorators: str) -> str:
    """Return the code of a function with its decorators."""
    return "\n".join([*(f"@{each}" for each in decorators), block(define, body)])


def docstring(text: str) -> str:
    """Return the code of a docstring. Long paragraphs are wrapped, and indented lines are
    unchanged.
    """
    text = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    lines: list[str] = []
    for line in ('"""' + text.strip("\n")).split("\n"):
        if len(line) <= TEXT_WIDTH or line.startswith(" "):
            lines.append(line.rstrip())
        else:
            # Breaking a long word could split an escape sequence.
            lines += textwrap.wrap(line, TEXT_WIDTH, break_long_words=False)
    last = " " if len(lines) == 1 and lines[0].endswith('"') else "\n" if len(lines) > 1 else ""
    return "\n".join(lines) + f'{last}"""'


def import_from(module: str, names: Iterable[str]) -> str:
    """Return `from module import names`, sorted like isort: constants, classes, functions."""
    ordered = sorted(
        set(names), key=lambda n: (0 if n.isupper() else 1 if n[0].isupper() else 2, n)
    )
    return f"from {module} import {', '.join(ordered)}"
