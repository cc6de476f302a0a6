"""Write tables of Markdown pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table as text, without a newline at its end."""
    lines = map(" | ".join, (head, *rows))
    titles, *others = (f"| {line} |" for line in lines)
    return "\n".join([titles, "|---" * len(head) + "|", *others])
