"""Knows that nothing has changed since the last render, so that nothing need be done.

A record lies in the user's cache folder, one for each output folder. It holds a hash of
all that a render depends on and the size, time and inode of every rendered file. Where
all of it still holds, rendering again would write what is there.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from opgen.config import Config
from opgen.render import outside_targets

MOST_RECORDS = 32
Stamp = tuple[int, int, int]


class Cache:
    """The record of one output folder, and what it must hold to be good."""

    def __init__(
        self, config: Config, specs: Iterable[Path], targets: Sequence[str], out: Path
    ) -> None:
        self.out = out.absolute()
        name = hashlib.sha256(os.fsencode(self.out)).hexdigest()
        self.file = _cache_folder() / f"{name[:32]}.json"
        self.key = _key(config, sorted(specs), targets)

    def unchanged(self) -> list[str] | None:
        """What was said of the last render; None where it must be done again."""
        try:
            record = json.loads(self.file.read_text())
            if record["key"] != self.key:
                return None
            for path, stamp in record["files"].items():
                if _stamp(f"{self.out}/{path}") != tuple(stamp):
                    return None
            return record["said"]
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def keep(self, paths: Iterable[str], said: list[str]) -> None:
        """Remember that `out` holds what was rendered, if the record can be written."""
        try:
            files = {path: _stamp(f"{self.out}/{path}") for path in paths}
            record = {"key": self.key, "files": files, "said": said}
            self.file.parent.mkdir(parents=True, exist_ok=True)
            new = self.file.with_suffix(f".{os.getpid()}")
            new.write_text(json.dumps(record))
            new.replace(self.file)
            _drop_oldest(self.file.parent)
        except OSError:
            pass


def _drop_oldest(folder: Path) -> None:
    by_age = sorted(folder.glob("*.json"), key=lambda f: f.stat().st_mtime_ns)
    for file in by_age[:-MOST_RECORDS]:
        file.unlink()


def _cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "opgen"


def _stamp(path: str) -> Stamp:
    info = os.lstat(path)
    return info.st_mtime_ns, info.st_size, info.st_ino


def _key(config: Config, specs: list[Path], targets: Sequence[str]) -> str:
    """A hash of specs, references, names of kernel sources, configuration and opgen.

    Targets of other packages may depend on anything: with one, no two keys are alike.
    """
    if outside_targets():
        return os.urandom(32).hex()
    hashed = hashlib.sha256(repr((config, targets, sys.version_info)).encode())
    for path in specs:
        hashed.update(f"\0{path}\0".encode(errors="surrogateescape"))
        hashed.update(path.read_bytes())
    folders = {path.parent for path in specs}
    for path in _files(*folders, Path(__file__).parent):
        if path.endswith((".py", ".j2", ".json")):
            hashed.update(f"\0{path}\0{_stamp(path)}".encode(errors="surrogateescape"))
    for path in _files(config.kernels_dir):
        hashed.update(f"\0{path}".encode(errors="surrogateescape"))
    return hashed.hexdigest()


def _files(*folders: Path) -> Iterator[str]:
    for folder in sorted(folders):
        for here, below, names in os.walk(folder):
            below[:] = sorted(b for b in below if b != "__pycache__")
            yield from (f"{here}/{name}" for name in sorted(names))
