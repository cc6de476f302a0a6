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

# The options that affect compiled templates.
OPTIONS: dict[str, Any] = {
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
    "autoescape": False,
}


@cache
def environment(*templates: Path) -> Environment:
    """Return the Jinja environment for the templates in `folders`. If two folders have the same
    template, the first is used.

    An undefined name raises an error. A line with only a block tag leaves no blank line.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from opgen.targets.compiled_templates import CompiledTemplates

    return Environment(
        loader=FileSystemLoader(templates),
        bytecode_cache=CompiledTemplates(repr(OPTIONS)),
        undefined=StrictUndefined,
        auto_reload=False,
        cache_size=-1,
        **OPTIONS,
    )
