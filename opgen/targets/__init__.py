"""The targets: one folder each. `outputs(project)` gives the files that it renders."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def environment(package: str) -> Environment:
    """The Jinja environment of the folder `templates` in an imported package.

    An undefined name is an error, and a line that holds a block tag only leaves no blank
    line behind.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    (folder,) = sys.modules[package].__path__
    return Environment(
        loader=FileSystemLoader(Path(folder) / "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        auto_reload=False,
        cache_size=-1,
    )
