"""Write files atomically: a file appears with its complete content, or does not change."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

# The content of a file: a text, bytes, or the path of a file to copy.
Data = str | bytes | Path


def draft_of(path: Path) -> Path:
    """Return the path of a file's draft. opgen writes the draft, which then replaces the file.

    A file's draft always has the same name. So the next write replaces a draft that a killed
    command left behind.
    """
    return path.with_name(f".{path.name}.new")


def put(path: Path, data: Data) -> None:
    """Write a file atomically. Other programs see the old content or the new content."""
    put_all({path: data})


def put_all(files: Mapping[Path, Data]) -> None:
    """Write files in this order, each atomically. If an error occurs, restore all files.

    If the process is killed, it is possible that only the first files are written. Each file still
    has its old or its new content. If the call is repeated, it writes the rest.
    """
    folders, moved = list[Path](), dict[Path, bytes | None]()
    try:
        for path, data in files.items():
            folders += reversed([f for f in path.parents if f not in folders and not f.exists()])
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(draft_of(path), data)
        for path in files:
            former = path.read_bytes() if path.is_file() else None
            draft_of(path).replace(path)
            moved[path] = former
    except BaseException as error:
        with suppress(OSError):
            for each in files:
                draft_of(each).unlink(missing_ok=True)
            for each, former in moved.items():
                each.unlink() if former is None else each.write_bytes(former)
            for folder in reversed(folders):
                folder.rmdir()
        if isinstance(error, OSError):
            # The error of a full disk has no file name, and that of a draft has an internal name.
            error.filename, error.filename2 = os.fspath(path), None
        raise


def _write(path: Path, data: Data) -> None:
    if isinstance(data, Path):
        shutil.copy2(data, path)
    else:
        path.write_bytes(data.encode() if isinstance(data, str) else data)
