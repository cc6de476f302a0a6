"""Statements laid out as black would, beyond what `opgen.targets.python_format` does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opgen.targets.python_format import WIDTH, call, tuple_of


def exploded(head: str, items: Sequence[str], tail: str, indent: int = 0) -> str:
    """One item a line; the trailing comma keeps black from joining them."""
    pad, inner = " " * indent, " " * (indent + 4)
    return head + "\n" + "".join(f"{inner}{i},\n" for i in items) + pad + tail


def display(head: str, items: Sequence[str], tail: str, indent: int) -> str:
    """A tuple, list or dict display, followed by a comma: one line, or one item a line."""
    comma = "," if tail == ")" and len(items) == 1 else ""
    line = f"{head}{', '.join(items)}{comma}{tail}"
    if indent + len(line) + 1 <= WIDTH:
        return line
    return exploded(head, items, tail, indent)


def returned(items: Sequence[str], indent: int = 4) -> str:
    """`return a, b`; a lone item is a tuple too."""
    line = "return " + (tuple_of(items) if len(items) == 1 else ", ".join(items))
    if indent + len(line) <= WIDTH and "\n" not in line:
        return line
    return exploded("return (", items, ")", indent)


def unpacked(names: Sequence[str], value: str, indent: int = 4) -> str:
    """`a, b = value`; a lone name takes the only item of a tuple."""
    left = tuple_of(names) if len(names) == 1 else ", ".join(names)
    if indent + len(f"{left} = {value}") <= WIDTH:
        return f"{left} = {value}"
    return exploded("(", names, f") = {value}", indent)


def unpacked_call(names: Sequence[str], head: str, items: Sequence[str], indent: int = 4) -> str:
    """`a, b = f(x, y)`; what does not fit is broken at the call."""
    left = tuple_of(names) if len(names) == 1 else ", ".join(names)
    text = call(f"{left} = {head}", items, ")", indent)
    if indent + len(text.partition("\n")[0]) <= WIDTH:
        return text
    return exploded("(", names, ") = " + call(head, items, ")", indent), indent)


def function(define: str, body: Iterable[str], *decorators: str) -> str:
    """A whole function; the lines of a statement carry no indent but the first's own."""
    lines = [f"@{decorator}" for decorator in decorators]
    return "\n".join([*lines, define, *(f"    {s}" if s else "" for s in body)])
