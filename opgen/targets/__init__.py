"""The targets, each in its own folder.

A target's package defines its additions to the language (`EXTENSION`). Its module `render`
implements `Target` (`target.py`).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

# The options of Jinja that change how a template is compiled.
OPTIONS: dict[str, Any] = {
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
    "autoescape": False,
}


@cache
def environment(*templates: Path) -> Environment:
    """Return the Jinja environment for the given template folders.

    If two folders contain the same template, the first folder takes precedence. An undefined name
    raises an error. A line that has only a block tag adds no line to the output.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from opgen.targets.compiled_templates import CompiledTemplates

    made = Environment(
        loader=FileSystemLoader(templates),
        bytecode_cache=CompiledTemplates(repr(OPTIONS)),
        undefined=StrictUndefined,
        auto_reload=False,
        cache_size=-1,
        **OPTIONS,
    )
    made.globals.clear()  # no template uses Jinja's functions, and each render would copy them
    return made
