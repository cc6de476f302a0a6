"""The cache of a render, so that the next render can skip unchanged parts.

The user's cache folder holds a record for each output folder. The record has a hash of everything
that all files depend on, and the inputs and results of each spec. It also has the size, time and
inode of every rendered file. Without a record, a render only takes longer.

Records are JSON, so that reading a record runs no code. However, their contents end up in rendered
code and in libraries. So opgen does not use a folder that others may write to.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

from opgen.compiler.framework_files import named
from opgen.output.render import EJECTED, Facts, File, Stamp, StandingFile
from opgen.source.frozen import dataclass
from opgen.source.source_file import SourceFile
from opgen.source.user_cache import cache_folder
from opgen.spec.config import Config
from opgen.spec.extensions import outside_targets, package_of

MOST_RECORDS = 32


@dataclass(frozen=True)
class Part:
    """The result of one spec.

    `inputs` is the hash of its inputs: the spec, the files `references`, and `sources`, which are
    file names in the kernel folder. `ties` are those of `spec_groups.py`, and `files` are listed
    with their targets.

    `facts` is None in a record if a target's summary is not plain data. In this case, opgen reads
    the spec again after a change to any other spec.
    """

    inputs: str
    references: tuple[str, ...]
    sources: tuple[str, ...]
    ties: frozenset[str]
    files: tuple[tuple[str, File], ...]
    facts: Facts | None

    @property
    def known(self) -> Facts:
        """Return the facts of a part that is new, or that was stored with facts."""
        assert self.facts is not None
        return self.facts


@dataclass(frozen=True)
class Record:
    """A render: its parts by spec, its other files, and its messages."""

    parts: dict[str, Part] = field(default_factory=dict)
    shared: tuple[File, ...] = ()
    said: tuple[str, ...] = ()


@dataclass(frozen=True)
class Known:
    """The parts of a record that apply to the current specs.

    `parts` are still valid, and `stale` has the ties of the others. `said` has the messages of a
    render that would change no file; it is empty otherwise.
    """

    parts: Mapping[str, Part] = field(default_factory=dict)
    stale: frozenset[str] = frozenset()
    said: tuple[str, ...] = ()


class Cache:
    """The record of one output folder.

    A file counts as unchanged while its size, time and inode are the same. With `hashed`, its
    content decides instead.
    """

    def __init__(
        self, config: Config, targets: Sequence[str], out: Path, *, hashed: bool = False
    ) -> None:
        self.hashed = hashed
        self.out = os.path.abspath(out)
        name = hashlib.sha256(os.fsencode(self.out)).hexdigest()
        folder = cache_folder()
        self.file = None if folder is None else folder / f"{name[:32]}.record"
        self.key = _key(config, targets, self.out)
        self.config = config

    def read(self, sources: Mapping[str, SourceFile]) -> Known:
        """Return the parts of the last render that are still valid.

        `sources` are the current specs by path.
        """
        record = self._read()
        sound = {
            path: part
            for path, part in record.parts.items()
            if path in sources
            and part.inputs == inputs(sources[path], self.config, part.references, part.sources)
            and self.stand(file for _, file in part.files)
        }
        whole = sound.keys() == record.parts.keys() == sources.keys()
        parts = {path: part for path, part in sound.items() if part.facts is not None}
        return Known(
            parts=parts,
            stale=frozenset().union(*(p.ties for n, p in record.parts.items() if n not in parts)),
            said=record.said if sound and whole and self.stand(record.shared) else (),
        )

    def _read(self) -> Record:
        """Return the record, or an empty one if an input of all files has changed."""
        if self.file is None:
            return Record()
        try:
            data = json.loads(self.file.read_bytes())
            return _record(data) if data["key"] == self.key else Record()
        except (OSError, ValueError, TypeError, LookupError, RecursionError):
            return Record()

    def stand(self, files: Iterable[File]) -> bool:
        """Return whether the `files` of a record exist in `out`, unchanged."""
        try:
            return all(
                isinstance(file, StandingFile)
                and self._stamp(file.path) == file.stamp
                and (not self.hashed or self._digest(file.path) == file.digest)
                for file in files
            )
        except OSError:
            return False

    def keep(self, record: Record) -> None:
        """Store the record of a render whose files are in `out`. Cache errors are ignored."""
        if self.file is None:
            return
        try:
            parts = {path: self._part(p) for path, p in record.parts.items()}
            shared = [self._file(file) for file in record.shared]
            data = {"key": self.key, "parts": parts, "shared": shared, "said": record.said}
            try:
                text = json.dumps(data)
            except TypeError:
                data["parts"] = {path: _plain(part) for path, part in parts.items()}
                text = json.dumps(data)
            new = self.file.with_suffix(f".{os.getpid()}")
            new.write_text(text)
            new.replace(self.file)
            _drop_oldest(self.file.parent)
        except (OSError, ValueError):
            pass

    def _part(self, part: Part) -> list[Any]:
        facts = None if part.facts is None else vars(part.facts)
        files = [[target, *self._file(file)] for target, file in part.files]
        return [part.inputs, part.references, part.sources, sorted(part.ties), files, facts]

    def _file(self, file: File) -> list[Any]:
        standing = self._standing(file)
        return [file.path, file.digest, *standing.stamp]

    def _standing(self, file: File) -> StandingFile:
        if isinstance(file, StandingFile):
            return file
        return StandingFile(file.path, file.digest, self._stamp(file.path))

    def _digest(self, path: str) -> str:
        return hashlib.sha256(Path(self.out, path).read_bytes()).hexdigest()

    def _stamp(self, path: str) -> Stamp:
        return _stamp(f"{self.out}/{path}")


def _plain(part: list[Any]) -> list[Any]:
    """Return a part of a record, without facts that are not plain data."""
    try:
        json.dumps(part[-1])
    except TypeError:
        return [*part[:-1], None]
    return part


def _record(data: Any) -> Record:
    """Return the record that `Cache.keep` wrote. Raises TypeError, LookupError, ValueError."""
    parts = {}
    for path, (hashed, references, sources, ties, files, facts) in data["parts"].items():
        parts[path] = Part(
            hashed,
            tuple(references),
            tuple(sources),
            frozenset(ties),
            tuple((target, _standing(*file)) for target, *file in files),
            None if facts is None else Facts(**facts),
        )
    shared = tuple(_standing(*file) for file in data["shared"])
    return Record(parts, shared, tuple(data["said"]))


def _standing(path: str, digest: str, *stamp: int) -> StandingFile:
    modified, size, inode = stamp
    return StandingFile(path, digest, (modified, size, inode))


def inputs(
    source: SourceFile, config: Config, references: Iterable[str], sources: Iterable[str]
) -> str:
    """Return the hash of a spec, of its references, and of the names of its other files."""
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
    hashed.update(repr((names, there, named(source.path))).encode())
    return hashed.hexdigest()


def _drop_oldest(folder: Path) -> None:
    by_age = sorted(folder.glob("*.record"), key=lambda f: f.stat().st_mtime_ns)
    for file in by_age[:-MOST_RECORDS]:
        file.unlink()


def _stamp(path: str) -> Stamp:
    info = os.lstat(path)
    return info.st_mtime_ns, info.st_size, info.st_ino


def _key(config: Config, targets: Sequence[str], out: str) -> str:
    """Return a hash of the inputs that all files depend on.

    These are the configuration, Python, opgen, the formatter, and packages that extend the
    language. The names of ejected files and the tables of `opgen tune` count too.
    """
    hashed = hashlib.sha256(repr((config, targets, sys.version_info)).encode())
    if os.path.exists(f"{out}/{EJECTED}"):
        hashed.update(Path(out, EJECTED).read_bytes())
    for table in config.tables:
        content = hashlib.sha256(table.read_bytes()).hexdigest()
        hashed.update(f"\0{table.name}\0{content}".encode(errors="surrogateescape"))
    outside = [package_of(name) for name in outside_targets()]
    ruff = find_spec("ruff")
    hashed.update(f"\0{_stamp(ruff.origin) if ruff and ruff.origin else None}".encode())
    folders = [path for p in outside for path in getattr(p, "__path__", [p.__file__])]
    for path in chain.from_iterable(map(_files, [Path(__file__).parents[1], *folders])):
        if path.endswith((".py", ".j2", ".json")):
            hashed.update(f"\0{path}\0{_stamp(path)}".encode(errors="surrogateescape"))
    return hashed.hexdigest()


def _files(folder: Path | str) -> Iterator[str]:
    if os.path.isfile(folder):
        yield str(folder)
    for here, below, names in os.walk(folder):
        below[:] = sorted(b for b in below if b != "__pycache__")
        yield from (f"{here}/{name}" for name in sorted(names))
