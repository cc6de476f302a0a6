"""The targets: one folder each, which is a `Target` of `render.py`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from opgen.cache import cache_folder

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def environment(templates: Path) -> Environment:
    """The Jinja environment of the templates in a folder.

    An undefined name is an error, and a line that holds a block tag only leaves no blank
    line behind. Compiled templates are kept in the user's cache folder, if that can be written.
    """
    from jinja2 import (
        Environment,
        FileSystemBytecodeCache,
        FileSystemLoader,
        StrictUndefined,
    )

    compiled = cache_folder() / "templates"
    try:
        compiled.mkdir(parents=True, exist_ok=True)
        bytecode = FileSystemBytecodeCache(str(compiled))
    except OSError:
        bytecode = None
    return Environment(
        loader=FileSystemLoader(templates),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        auto_reload=False,
        cache_size=-1,
        bytecode_cache=bytecode,
    )
