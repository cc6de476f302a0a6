"""Make text from files, names and messages safe to print in a terminal."""

from __future__ import annotations

import unicodedata

TAB = "    "
# Characters without a visible shape that are not in Unicode's categories format and separator.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    chr(n) for n in (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
}
_BAD = "�"


def visible(text: str) -> str:
    """Replace all characters that move the cursor, change colors, or are invisible."""
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
    """Return `text` with each line made safe by `visible`. Line breaks are kept."""
    return "\n".join(map(visible, text.split("\n")))
