"""Wrap text into lines."""

from __future__ import annotations

import textwrap


def wrapped(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """Return `text` as lines. Words are not broken.

    `first` precedes the first line, and `rest` precedes each later line. A text that fits on one
    line is returned without `textwrap`, which is slow.
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
