"""Write files atomically: each file appears complete, or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

# A text, bytes, or a file to copy.
Data = str | bytes | Path


def draft_of(path: Path) -> Path:
    """Return the path of the draft of a file. opgen writes the draft, which then replaces the file.

    The name is always the same, so the next write replaces the draft of a killed command.
    """
    return path.with_name(f".{path.name}.new")


def put(path: Path, data: Data) -> None:
    """Write a file atomically: a reader sees the old file or the new file."""
    put_all({path: data})


def put_all(files: Mapping[Path, Data]) -> None:
    """Write files in this order, each atomically. After an error, no file has changed.

    A kill may leave only the first files written. Nothing else is lost, and the same call writes
    the rest.
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
            # The error of a full disk has no file name, and drafts are internal.
            error.filename, error.filename2 = os.fspath(path), None
        raise


def _write(path: Path, data: Data) -> None:
    if isinstance(data, Path):
        shutil.copy2(data, path)
    else:
        path.write_bytes(data.encode() if isinstance(data, str) else data)
