"""Render C++ files from templates."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from opgen.targets import environment
from opgen.targets.cpp.cpp_wrap import broken
from opgen.targets.target import OutputFile

if TYPE_CHECKING:
    from jinja2 import Template

# The folder with the templates that framework templates import.
SHARED = Path(__file__).parent / "templates"


def cpp_text(folder: Path, template: str, **values: object) -> str:
    """Return the rendered text of a template in `folder`, with long lines broken."""
    return broken(_template(folder, template).render(values))


def cpp_file(folder: Path, template: str, path: str, **values: object) -> OutputFile:
    """Return the C++ file at `path`, rendered from a template in `folder`."""
    return OutputFile(path, cpp_text(folder, template, **values))


@cache
def _template(folder: Path, name: str) -> Template:
    return environment(*dict.fromkeys((folder, SHARED))).get_template(name)
