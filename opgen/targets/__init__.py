"""The targets, one folder each.

A target's package defines its additions to the language (`EXTENSION`). Its module `render` is a
`Target` (`target.py`).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def environment(*templates: Path) -> Environment:
    """Return the Jinja environment of the templates in some folders, the first before others.

    An undefined name is an error. A line with only a block tag leaves no blank line.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(templates),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        auto_reload=False,
        cache_size=-1,
    )
