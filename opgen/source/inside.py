"""Finds a file that a spec or a pyproject.toml names: inside the project, or nowhere.

Only this module joins a folder and such a name (`tests/test_inside.py` looks for others). It does
not resolve names from the command line, which the user may choose freely.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path, PurePosixPath

MARKS = ("pyproject.toml", ".git")


class Outside(Exception):
    """A name does not lead to a file of the project; the message says why."""


def inside(folder: Path, name: str) -> Path:
    """The file or folder `name` below `folder`, of the same project. Raises `Outside`."""
    parts = PurePosixPath(name).parts
    if not parts or not name.isprintable() or "\\" in name or ":" in name:
        raise Outside("a name has `/` between its parts, and no `:`, `\\` or invisible characters")
    if name.startswith("/") or ".." in parts:
        raise Outside("a name leads to a folder or file below, without `..` or `/` in front")
    if any(part.casefold() == ".git" for part in parts):
        raise Outside("`.git` is no folder of the project's own")
    found = folder.joinpath(*parts)
    if leads_out(found, folder):
        raise Outside("a link leads out of the project")
    return found


def leads_out(path: Path, folder: Path) -> bool:
    """True if `path` is, by a link, outside the project that `folder` is in."""
    try:
        return not path.resolve().is_relative_to(_project(folder.resolve()))
    except (OSError, RuntimeError):  # a circle of links
        return True


@cache
def _project(folder: Path) -> Path:
    """The nearest folder that a project begins with, from `folder` upwards; else `folder`."""
    for each in (folder, *folder.parents):
        if any((each / mark).exists() for mark in MARKS):
            return each
    return folder
