"""Line wrapping for text."""

from __future__ import annotations

import textwrap


def wrapped(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """Return `text` on lines that start with `first` and `rest`. Words are not broken.

    Most texts fit on one line. They do not need `textwrap`, which is slow.
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
