"""The mark of what `opgen import` guessed, which the author of a spec takes out."""

from __future__ import annotations

import re

_MARK = re.compile(r"#\s*guess\b")


def guesses(text: str) -> int:
    """Return how many guesses a file still has."""
    return len(_MARK.findall(text))
