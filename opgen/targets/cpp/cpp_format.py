"""Pieces of rendered C++: lists, aligned comments, documentation."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.ir.layouts import Order
from opgen.targets.wrapping import wrapped

WIDTH = 100


def listing(head: str, items: Iterable[str], tail: str) -> str:
    """Return `head`, the items and `tail` on one line. `cpp_wrap.broken` later breaks the line if
    it is too long.
    """
    return f"{head}{', '.join(items)}{tail}"


def aligned(rows: Iterable[tuple[str, str]]) -> list[str]:
    """Return lines of code with their comments aligned in one column."""
    rows = list(rows)
    width = max((len(code) for code, comment in rows if comment), default=0)
    return [f"{code:<{width}}  // {closed(comment)}" if comment else code for code, comment in rows]


def order_text(order: Order) -> str:
    """Return the C++ code of a memory order: an `opgen::Order`."""
    terms = ", ".join(map(str, order.terms))
    group = -1 if order.group is None else order.group
    tail = f", {order.open}" if order.open else ""
    return f"opgen::Order{{{{{terms}}}, {len(order.terms)}, {group}{tail}}}"


def doc(text: str, indent: int = 0) -> str:
    """Return `text` as `///` comments. The first line is not indented."""
    width = WIDTH - indent - 4
    lines = wrapped(text, width)
    return f"\n{' ' * indent}".join(f"/// {closed(line)}" for line in lines)


def closed(comment: str) -> str:
    """Return `comment` on one line. A backslash at its end is protected, because it would continue
    the comment on the next line.
    """
    line = " ".join(comment.splitlines()).rstrip()
    return f"{line}." if line.endswith(("\\", "??/")) else line
