"""The mark that `opgen import` adds to each guess. The author removes marks of checked guesses."""

from __future__ import annotations

import re

_MARK = re.compile(r"#\s*guess\b")


def guesses(text: str) -> int:
    """Return the number of marked guesses in a file."""
    return len(_MARK.findall(text))
