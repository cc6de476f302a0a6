"""The mark that `opgen import` puts at its guesses, for the author of a spec to remove."""

from __future__ import annotations

import re

_MARK = re.compile(r"#\s*guess\b")


def guesses(text: str) -> int:
    """Return how many marked guesses a file still has."""
    return len(_MARK.findall(text))
