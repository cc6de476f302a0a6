"""Text on lines that are not too long."""

from __future__ import annotations

import textwrap


def wrapped(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """`text` on lines that begin with `first` and `rest`; words stay whole.

    Most texts fit on one line, and `textwrap` takes long to find that out.
    """
    if text.isprintable() and text.strip() and len(first) + len(text) <= width:
        return [first + text.rstrip()]
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
