"""Find the files that a spec or a pyproject.toml names, if they are inside the project.

Only this module joins a folder with a name from such a file. `tests/test_inside.py` checks this.
Paths from the command line may lead anywhere, and do not use this module.
"""

from __future__ import annotations

import os
import stat
from functools import cache
from pathlib import Path

MARKS = ("pyproject.toml", ".git")


class Outside(Exception):
    """Error for a name that does not lead to a file of the project. The message has the reason."""


def inside(folder: Path, name: str) -> Path:
    """Return the path of `name` below `folder`. Raises `Outside` if it is outside the project."""
    parts = [part for part in name.split("/") if part not in ("", ".")]
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
    """Return whether `path`, below `folder`, has a link that leads out of the folder's project."""
    below, links = os.fspath(path), False
    try:
        for _ in range(len(path.parts) - len(folder.parts)):
            links |= _is_link(below)
            below = os.path.dirname(below)
        if not links:
            return False
        return not path.resolve().is_relative_to(_project(folder.resolve()))
    except (OSError, RuntimeError):  # a circular link
        return True


def _is_link(path: str) -> bool:
    try:
        return stat.S_ISLNK(os.lstat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


@cache
def _project(folder: Path) -> Path:
    """Return the nearest project root among `folder` and its parents, or else `folder`."""
    for each in (folder, *folder.parents):
        if any((each / mark).exists() for mark in MARKS):
            return each
    return folder
