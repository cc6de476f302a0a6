"""Marked guesses in specs.

`opgen import` marks each guess in a draft. The author of the spec removes the marks.
"""

from __future__ import annotations

import re

_MARK = re.compile(r"#\s*guess\b")


def guesses(text: str) -> int:
    """Return the number of marked guesses in a file."""
    return len(_MARK.findall(text))
