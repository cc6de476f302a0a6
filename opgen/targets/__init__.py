"""The targets: one folder each.

Its package says what it adds to the language (`EXTENSION`), its module `render` is a `Target`
(`target.py`).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def environment(templates: Path) -> Environment:
    """The Jinja environment of the templates in a folder.

    An undefined name is an error, and a line that holds a block tag only leaves no blank
    line behind.
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
