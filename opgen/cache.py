"""Remembers a render, so that the next one need not do what would come out the same.

A record lies in the user's cache folder, one for each output folder. It holds a hash of
all that every file depends on, what each spec depends on and what became of it, and the
size, time and inode of every rendered file. Losing it costs time only.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from opgen.config import Config
from opgen.render import File, Stamp, StandingFile
from opgen.source import SourceFile

MOST_RECORDS = 32


@dataclass(frozen=True)
class Part:
    """What became of one spec.

    `inputs` is the hash of what it depends on; besides the spec these are `references`,
    files, and `sources`, names of files below the kernel folder. `ties` are those of
    `ties.py`, `files` come with their targets, `facts` are pickled `increment.Facts`.
    """

    inputs: str
    references: tuple[str, ...]
    sources: tuple[str, ...]
    ties: frozenset[str]
    files: tuple[tuple[str, File], ...]
    facts: bytes


@dataclass(frozen=True)
class Record:
    """A render: its parts by spec, its other files, and what was said of it."""

    parts: dict[str, Part] = field(default_factory=dict)
    shared: tuple[File, ...] = ()
    said: tuple[str, ...] = ()


class Cache:
    """The record of one output folder."""

    def __init__(self, config: Config, targets: Sequence[str], out: Path) -> None:
        self.out = os.path.abspath(out)
        name = hashlib.sha256(os.fsencode(self.out)).hexdigest()
        self.file = cache_folder() / f"{name[:32]}.record"
        self.key = _key(config, targets)
        self.config = config

    def read(self) -> Record:
        """What the last render left; nothing where anything that all depends on has changed."""
        try:
            data = self.file.read_bytes()
        except OSError:
            return Record()
        # So none is unpickled that was damaged or that another opgen wrote.
        if data[:32] != self._seal(data[32:]):
            return Record()
        return pickle.loads(data[32:])

    def sound(
        self, known: Record, sources: Mapping[str, SourceFile]
    ) -> dict[str, Part]:
        """The parts of a record that hold for what specs (by path) and `out` now are."""
        return {
            path: part
            for path, part in known.parts.items()
            if path in sources
            and part.inputs == inputs(sources[path], self.config, part.references, part.sources)  # fmt: skip
            and self.stand(file for _, file in part.files)
        }

    def unchanged(
        self,
        known: Record,
        sound: Mapping[str, Part],
        sources: Mapping[str, SourceFile],
    ) -> bool:
        """Whether rendering would write what is there."""
        whole = sound.keys() == known.parts.keys() == sources.keys()
        return bool(sound) and whole and self.stand(known.shared)

    def stand(self, files: Iterable[File]) -> bool:
        """Whether `files` of a record are in `out` as they were written."""
        try:
            return all(self._stamp(file.path) == file.stamp for file in files)
        except OSError:
            return False

    def keep(self, record: Record) -> None:
        """Remember a render whose files are in `out`, if that can be written."""
        try:
            parts = {
                path: Part(
                    part.inputs,
                    part.references,
                    part.sources,
                    part.ties,
                    tuple((target, self._standing(f)) for target, f in part.files),
                    part.facts,
                )
                for path, part in record.parts.items()
            }
            shared = tuple(map(self._standing, record.shared))
            data = pickle.dumps(Record(parts, shared, record.said), protocol=5)
            self.file.parent.mkdir(parents=True, exist_ok=True)
            new = self.file.with_suffix(f".{os.getpid()}")
            new.write_bytes(self._seal(data) + data)
            new.replace(self.file)
            _drop_oldest(self.file.parent)
        except OSError:
            pass

    def _standing(self, file: File) -> StandingFile:
        if isinstance(file, StandingFile):
            return file
        return StandingFile(file.path, file.digest, self._stamp(file.path))

    def _stamp(self, path: str) -> Stamp:
        return _stamp(f"{self.out}/{path}")

    def _seal(self, data: bytes) -> bytes:
        return hashlib.sha256(self.key + data).digest()


def inputs(
    source: SourceFile,
    config: Config,
    references: Iterable[str],
    sources: Iterable[str],
) -> str:
    """The hash of a spec, its references, and which kernel sources there are."""
    hashed = hashlib.sha256(source.text.encode())
    for path in references:
        try:
            hashed.update(b"\0" + hashlib.sha256(Path(path).read_bytes()).digest())
        except OSError:
            hashed.update(b"\1")
    kernels = os.fspath(config.kernels_dir)
    try:
        names = sorted(os.listdir(f"{kernels}/{Path(source.path).stem}"))
    except OSError:
        names = []
    there = [path for path in sources if os.path.isfile(f"{kernels}/{path}")]
    hashed.update(repr((names, there)).encode())
    return hashed.hexdigest()


def _drop_oldest(folder: Path) -> None:
    by_age = sorted(folder.glob("*.record"), key=lambda f: f.stat().st_mtime_ns)
    for file in by_age[:-MOST_RECORDS]:
        file.unlink()


def cache_folder() -> Path:
    """Where opgen keeps what it could make again."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "opgen"


def _stamp(path: str) -> Stamp:
    info = os.lstat(path)
    return info.st_mtime_ns, info.st_size, info.st_ino


def _key(config: Config, targets: Sequence[str]) -> bytes:
    """A hash of the configuration, Python and opgen."""
    hashed = hashlib.sha256(repr((config, targets, sys.version_info)).encode())
    for path in _files(Path(__file__).parent):
        if path.endswith((".py", ".j2", ".json")):
            hashed.update(f"\0{path}\0{_stamp(path)}".encode(errors="surrogateescape"))
    return hashed.digest()


def _files(folder: Path) -> Iterator[str]:
    for here, below, names in os.walk(folder):
        below[:] = sorted(b for b in below if b != "__pycache__")
        yield from (f"{here}/{name}" for name in sorted(names))
