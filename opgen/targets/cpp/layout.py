"""Lays rendered C++ out: lists that may grow past a line, aligned comments, documentation."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from opgen.layouts import Order

WIDTH = 100


def listing(head: str, items: Sequence[str], tail: str, indent: int = 0) -> str:
    """`head` + items + `tail` on as few lines as fit, later ones below the first item.

    Where an item would not fit there, all items stand on lines of their own, four further
    in. The first line carries no indent.
    """
    line = f"{head}{', '.join(items)}{tail}"
    if indent + len(line) <= WIDTH and "\n" not in line:
        return line
    for pad, start in ((indent + len(head), head), (indent + 4, f"{head}\n")):
        lines = _fill(start, items, tail, pad, indent)
        if all(len(line) <= WIDTH for line in lines):
            break
    return "\n".join(lines)


def _fill(
    head: str, items: Sequence[str], tail: str, pad: int, indent: int
) -> list[str]:
    lines = f"{' ' * indent}{head}".split("\n")
    fresh = lines[-1] == ""
    if fresh:
        lines[-1] = " " * pad
    for number, item in enumerate(items):
        text = item + (tail if number == len(items) - 1 else ",")
        blank = "" if fresh else " " if number else ""
        if len(lines[-1]) + len(blank) + len(text) > WIDTH and not fresh and number:
            lines.append(" " * pad + text)
        else:
            lines[-1] += blank + text
        fresh = False
    if not items:
        lines[-1] += tail
    lines[0] = lines[0][indent:]
    return lines


def aligned(rows: Iterable[tuple[str, str]]) -> list[str]:
    """Lines of code with their comments in one column."""
    rows = list(rows)
    width = max((len(code) for code, comment in rows if comment), default=0)
    return [
        f"{code:<{width}}  // {_closed(comment)}" if comment else code
        for code, comment in rows
    ]


def order_text(order: Order | None) -> str:
    """An `opgen::Order`."""
    if order is None:
        return "opgen::Order()"
    terms = ", ".join(map(str, order.terms))
    group = -1 if order.group is None else order.group
    return f"opgen::Order{{{{{terms}}}, {len(order.terms)}, {group}}}"


def doc(text: str, indent: int = 0) -> str:
    """Documentation: `///` before every line; the first line carries no indent."""
    width = WIDTH - indent - 4
    lines = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
    return f"\n{' ' * indent}".join(f"/// {_closed(line)}" for line in lines)


def _closed(comment: str) -> str:
    """`comment` on one line; a last backslash would take in the next line of code."""
    line = comment.replace("\n", " ")
    return f"{line}." if line.endswith("\\") else line
