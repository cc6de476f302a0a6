"""Make texts of files, names and messages safe to print in a terminal."""

from __future__ import annotations

import unicodedata

TAB = "    "
# Letters and marks without a shape, except those in Unicode's categories format and separator.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    chr(n) for n in (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
}
_BAD = "�"


def visible(text: str) -> str:
    """Return `text` without characters that move the cursor, change colors, or are invisible."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else TAB if c == "\t" else _BAD for c in text)


def unseen(character: str) -> bool:
    """Return whether a character is invisible, or changes the displayed order of characters.

    Returns False for line breaks and tabs.
    """
    kind = unicodedata.category(character)
    return kind in ("Cf", "Zl", "Zp", "Cs") or character in _BLANK


def visible_lines(text: str) -> str:
    """Return `text` made visible, with its line breaks."""
    return "\n".join(map(visible, text.split("\n")))
