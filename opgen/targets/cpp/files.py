"""Render C++ files from templates."""

from __future__ import annotations

from pathlib import Path

from opgen.targets import environment
from opgen.targets.cpp.cpp_wrap import broken
from opgen.targets.target import OutputFile

# The folder with the templates that framework templates import.
SHARED = Path(__file__).parent / "templates"


def cpp_text(template: Path, **values: object) -> str:
    """Return the rendered text of a template, with long lines broken."""
    folders = environment(*dict.fromkeys((template.parent, SHARED)))
    return broken(folders.get_template(template.name).render(values))


def cpp_file(template: Path, path: str, **values: object) -> OutputFile:
    """Return the C++ file at `path`, rendered from a template."""
    return OutputFile(path, cpp_text(template, **values))
