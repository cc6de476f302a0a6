"""Read the text of files that a user may have edited."""

from __future__ import annotations

import errno
from pathlib import Path


def read_text(path: Path) -> str:
    """Return a file's text. Raises `OSError` with the file's name if the text is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise OSError(errno.EILSEQ, "this is not UTF-8 text", str(path)) from None
