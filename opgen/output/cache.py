"""The cache of the last render, so that the next render can skip unchanged parts.

The user's cache folder holds a record for each output folder. The record has a hash of everything
that all files depend on, and the inputs and results of each spec. It also has the size, inode and
modification time of every rendered file. If a record is missing, the next render takes longer, but
its results are the same.

Records are JSON, so that reading a record runs no code. However, the contents of a record end up in
rendered code and in libraries. So opgen does not use a folder that other users can write to.
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
from typing import Any, NamedTuple

from opgen.compiler.discovery import framework_files_of
from opgen.output.files import EJECTED, Facts, File, Stamp, StandingFile
from opgen.source.frozen import dataclass
from opgen.source.source_file import SourceFile
from opgen.source.user_cache import cache_folder
from opgen.spec.config import Config
from opgen.spec.extensions import outside_targets, package_of

MOST_RECORDS = 32


@dataclass(frozen=True)
class Part:
    """The result of rendering one spec.

    `inputs` is a hash of the inputs: the spec, the files `references`, and the names `sources` of
    files in the kernel folder. `ties` are the names that the spec may share with other specs
    (`spec_groups.py`). `files` are the rendered files, each with its target.

    `facts` are the properties of the spec that the files of the whole project depend on. Only plain
    data can be in a record. If `facts` contain other data, they are None in the record, and opgen
    reads the spec again after a change to any other spec.
    """

    inputs: str
    references: tuple[str, ...]
    sources: tuple[str, ...]
    ties: frozenset[str]
    files: tuple[tuple[str, File], ...]
    facts: Facts | None

    @property
    def known(self) -> Facts:
        """Return `facts`, which must not be None."""
        assert self.facts is not None
        return self.facts


# A rendered file in a record: its target, path, digest and stamp (time, size, inode).
_Row = list[Any]


class _Written(NamedTuple):
    """The fields of a `Part` in the JSON of a record."""

    inputs: str
    references: list[str]
    sources: list[str]
    ties: list[str]
    files: list[_Row]
    facts: dict[str, Any] | None

    def part(self) -> Part:
        return Part(
            self.inputs,
            tuple(self.references),
            tuple(self.sources),
            frozenset(self.ties),
            tuple(
                (target, StandingFile(path, digest, (m, s, i)))
                for target, path, digest, (m, s, i) in self.files
            ),
            None if self.facts is None else Facts(**self.facts),
        )


@dataclass(frozen=True)
class Record:
    """The results of a render: the parts by spec path, the shared files, and the messages."""

    parts: dict[str, Part]
    shared: tuple[File, ...]
    said: tuple[str, ...] = ()


@dataclass(frozen=True)
class Known:
    """The parts of a record that are still valid for the current specs.

    `stale` has the names that other specs may share with the invalid parts (their `ties`). If no
    part and no file has changed, `said` has the messages of the last render, and `parts` is empty.
    Otherwise `said` is empty.
    """

    parts: Mapping[str, Part] = field(default_factory=dict)
    stale: frozenset[str] = frozenset()
    said: tuple[str, ...] = ()


class Cache:
    """Reads and stores the record of one output folder.

    A file counts as unchanged while its size, inode and modification time are the same. With
    `hashed`, its content must be the same too.
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
        try:
            return Known() if self.file is None else self._known(self.file.read_bytes(), sources)
        except (OSError, ValueError, TypeError, LookupError, RecursionError):
            return Known()

    def _known(self, record: bytes, sources: Mapping[str, SourceFile]) -> Known:
        """Return the parts of a record that are still valid.

        Return no parts if an input that all files depend on has changed.
        """
        data = json.loads(record)
        if data["key"] != self.key:
            return Known()
        parts = {path: _Written(*part) for path, part in data["parts"].items()}
        sound = {
            path: part
            for path, part in parts.items()
            if path in sources
            and part.inputs == inputs(sources[path], self.config, part.references, part.sources)
            and self._stand(part.files)
        }
        if sound and sound.keys() == parts.keys() == sources.keys() and self._stand(data["shared"]):
            return Known(said=tuple(data["said"]))
        valid = {path: part.part() for path, part in sound.items() if part.facts is not None}
        stale = (part.ties for path, part in parts.items() if path not in valid)
        return Known(parts=valid, stale=frozenset().union(*stale))

    def _stand(self, rows: Iterable[_Row]) -> bool:
        """Return whether all files in `rows` exist in the output folder and are unchanged."""
        try:
            return all(
                _stamp(f"{self.out}/{path}") == tuple(stamp)
                and (not self.hashed or self._digest(path) == digest)
                for _, path, digest, stamp in rows
            )
        except OSError:
            return False

    def keep(self, record: Record) -> None:
        """Store the record of a render whose files are now on disk. Cache errors are ignored."""
        if self.file is None:
            return
        try:
            parts = {path: self._part(p) for path, p in record.parts.items()}
            shared = [self._row("", file) for file in record.shared]
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
        rows = [self._row(target, file) for target, file in part.files]
        return [part.inputs, part.references, part.sources, sorted(part.ties), rows, facts]

    def _row(self, target: str, file: File) -> _Row:
        stamp = file.stamp if isinstance(file, StandingFile) else self._stamp(file.path)
        return [target, file.path, file.digest, stamp]

    def _digest(self, path: str) -> str:
        return hashlib.sha256(Path(self.out, path).read_bytes()).hexdigest()

    def _stamp(self, path: str) -> Stamp:
        return _stamp(f"{self.out}/{path}")


def _plain(part: list[Any]) -> list[Any]:
    """Return the fields of a part, with `facts` replaced by None if they are not plain data."""
    try:
        json.dumps(part[-1])
    except TypeError:
        return [*part[:-1], None]
    return part


def inputs(
    source: SourceFile, config: Config, references: Iterable[str], sources: Iterable[str]
) -> str:
    """Return one hash of a spec, its references, and the names of its other files."""
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
    hashed.update(repr((names, there, framework_files_of(source.path))).encode())
    return hashed.hexdigest()


def _drop_oldest(folder: Path) -> None:
    by_age = sorted(folder.glob("*.record"), key=lambda f: f.stat().st_mtime_ns)
    for file in by_age[:-MOST_RECORDS]:
        file.unlink()


def _stamp(path: str) -> Stamp:
    info = os.lstat(path)
    return info.st_mtime_ns, info.st_size, info.st_ino


def _key(config: Config, targets: Sequence[str], out: str) -> str:
    """Return a hash of the inputs that all rendered files depend on.

    These are the configuration, Python, opgen, the formatter, and packages that extend the
    language. The hash also includes the names of ejected files, and the tables of `opgen tune`.
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
