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
from dataclasses import field, replace
from functools import cache
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

from opgen.compiler.discovery import framework_files_in
from opgen.output.files import EJECTED, Facts, File, Stamp, StandingFile
from opgen.source.frozen import dataclass
from opgen.source.source_file import SourceFile
from opgen.source.user_cache import cache_folder
from opgen.spec.config import Config
from opgen.spec.extensions import outside_targets, package_of

MOST_RECORDS = 32


# Rendered files, each with its target.
Pairs = tuple[tuple[str, File], ...]


@dataclass(frozen=True)
class Part:
    """The result of rendering one spec.

    `inputs` is a hash of the inputs: the spec, the files `references`, and the names of the files in
    the kernel folder. `stamps` has the stamps of the same files and of the folder.
    `ties` are the names that the spec may share with other specs (`spec_groups.py`). `line` is the
    part's line in the file of the record, once it is known.

    `facts` are the properties of the spec that the files of the whole project depend on. Only plain
    data can be in a file. If `facts` contain other data, they are None in the file, and opgen reads
    the spec again after a change to any other spec.
    """

    inputs: str
    stamps: str
    references: tuple[str, ...]
    ties: frozenset[str]
    files: Pairs
    facts: Facts | None
    line: str = ""

    @property
    def known(self) -> Facts:
        """Return `facts`, which must not be None."""
        assert self.facts is not None
        return self.facts


@dataclass(frozen=True)
class Record:
    """The results of a render: the parts by spec path, the shared files, and the messages.

    `key` is a hash of the inputs that all files depend on.
    """

    parts: dict[str, Part]
    shared: Pairs
    said: tuple[str, ...] = ()
    key: str = ""


@dataclass(frozen=True)
class Known:
    """The parts of a record that are still valid for the current specs.

    `stale` has the names that other specs may share with the invalid parts (their `ties`). `files`
    are other files of the record, by path: the next render may produce them again. If no part and
    no file has changed, `said` has the messages of the last render, and `parts` is empty. Otherwise
    `said` is empty.
    """

    parts: Mapping[str, Part] = field(default_factory=dict)
    stale: frozenset[str] = frozenset()
    files: Mapping[str, File] = field(default_factory=dict)
    said: tuple[str, ...] = ()


class Cache:
    """Reads and stores the record of one output folder.

    A file counts as unchanged while its size, inode and modification time are the same. With
    `hashed`, its content must be the same too.
    """

    # The last record that this process read or stored, with its file and the stamp of the file.
    last: tuple[Path, Stamp, Record] | None = None

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

    def read(
        self, sources: Mapping[str, SourceFile], changed: frozenset[str] = frozenset()
    ) -> Known:
        """Return the parts of the last render that are still valid.

        `sources` are the current specs by path, and `changed` rendered files known to have changed.
        If a spec must be rendered anyway, the other rendered files are checked only by `write`.
        """
        try:
            return Known() if self.file is None else self._known(self.file, sources, changed)
        except (OSError, ValueError, TypeError, LookupError, RecursionError):
            return Known()

    def _known(
        self, file: Path, sources: Mapping[str, SourceFile], changed: frozenset[str]
    ) -> Known:
        """Return the parts of a record that are still valid.

        Return no parts if an input that all files depend on has changed.
        """
        stamp = _stamp(file)
        if Cache.last is None or Cache.last[:2] != (file, stamp):
            Cache.last = file, stamp, _parsed(file.read_text())
        record = Cache.last[2]
        if record.key != self.key:
            return Known()
        parts, inputs = record.parts, Inputs(self.config)
        sound = {
            path: part
            for path, old in parts.items()
            if path in sources
            and not (changed and any(file.path in changed for _, file in old.files))
            and (part := self._current(old, sources[path], inputs))
        }
        trusted = not self.hashed and not sound.keys() == parts.keys() == sources.keys()
        if not trusted:
            sound = {path: part for path, part in sound.items() if self._stand(part.files)}
        others = list(record.shared) if trusted or self._stand(record.shared) else []
        if others and sound.keys() == parts.keys() == sources.keys():
            if any(parts[path] is not part for path, part in sound.items()):
                self.keep(replace(record, parts=sound))
            return Known(said=record.said)
        valid = {path: part for path, part in sound.items() if part.facts is not None}
        invalid = [part for path, part in parts.items() if path not in valid]
        others += [pair for part in invalid if trusted for pair in part.files]
        stale = frozenset().union(*(part.ties for part in invalid))
        files = {file.path: file for _, file in others if file.path not in changed}
        return Known(valid, stale, files)

    def _current(self, part: Part, source: SourceFile, inputs: Inputs) -> Part | None:
        """Return a part with new `stamps`; None if its inputs differ from those of `source`."""
        stamps = inputs.stamps(source, part.references)
        if not self.hashed and part.stamps == stamps:
            return part
        same = part.inputs == inputs.hash(source, part.references)
        return replace(part, stamps=stamps, line="") if same else None

    def _stand(self, files: Pairs) -> bool:
        """Return whether all `files` exist in the output folder and are unchanged."""
        try:
            return all(
                isinstance(file, StandingFile)
                and _stamp(f"{self.out}/{file.path}") == file.stamp
                and (not self.hashed or self._digest(file.path) == file.digest)
                for _, file in files
            )
        except OSError:
            return False

    def keep(self, record: Record) -> None:
        """Store the record of a render whose files are now on disk. Cache errors are ignored."""
        if self.file is None:
            return
        try:
            parts = {path: self._kept(path, part) for path, part in record.parts.items()}
            shared = self._standing(record.shared)
            head = json.dumps([self.key, record.said, _rows(shared)])
            new = self.file.with_suffix(f".{os.getpid()}")
            new.write_text("\n".join([head, *(part.line for part in parts.values())]))
            stamp = _stamp(new)
            new.replace(self.file)
            Cache.last = self.file, stamp, Record(parts, shared, record.said, self.key)
            _drop_oldest(self.file.parent)
        except (OSError, ValueError):
            pass

    def _kept(self, path: str, part: Part) -> Part:
        """Return a part with its line and the stamps of its files."""
        if part.line:
            return part
        files = self._standing(part.files)
        plain = [path, part.inputs, part.stamps, part.references, sorted(part.ties), _rows(files)]
        try:
            line = json.dumps([*plain, part.facts and vars(part.facts)])
        except TypeError:
            line = json.dumps([*plain, None])
        return replace(part, files=files, line=line)

    def _standing(self, files: Pairs) -> Pairs:
        return tuple(
            (
                target,
                (
                    file
                    if isinstance(file, StandingFile)
                    else StandingFile(file.path, file.digest, _stamp(f"{self.out}/{file.path}"))
                ),
            )
            for target, file in files
        )

    def _digest(self, path: str) -> str:
        return hashlib.sha256(Path(self.out, path).read_bytes()).hexdigest()


def _parsed(text: str) -> Record:
    """Return the record in the text of a file: a line about the whole, and one for each part."""
    head, *lines = text.split("\n")
    key, said, shared = json.loads(head)
    parts = {}
    for line in lines:
        path, inputs, stamps, references, ties, rows, facts = json.loads(line)
        facts = facts and Facts(**facts)
        parts[path] = Part(
            inputs, stamps, tuple(references), frozenset(ties), _pairs(rows), facts, line
        )
    return Record(parts, _pairs(shared), tuple(said), key)


def _rows(files: Pairs) -> list[tuple[Any, ...]]:
    return [(target, *file) for target, file in files if isinstance(file, StandingFile)]


def _pairs(rows: Iterable[Sequence[Any]]) -> Pairs:
    return tuple(
        (target, StandingFile(path, digest, (m, s, i))) for target, path, digest, (m, s, i) in rows
    )


class Inputs:
    """The inputs of specs. Reads the stamp of each file and folder at most once."""

    def __init__(self, config: Config) -> None:
        self.kernels = os.fspath(config.kernels_dir)
        self.stamp = cache(_stamp_text)
        self.framework_files = cache(framework_files_in)

    def hash(self, source: SourceFile, references: Iterable[str]) -> str:
        """Return one hash of a spec, its references, and the names of its other files."""
        hashed = hashlib.sha256(source.text.encode())
        for path in references:
            try:
                hashed.update(b"\0" + hashlib.sha256(Path(path).read_bytes()).digest())
            except OSError:
                hashed.update(b"\1")
        folder, framework_files = self._kernels_and_framework_files(source)
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            names = []
        hashed.update(repr((names, framework_files)).encode())
        return hashed.hexdigest()

    def stamps(self, source: SourceFile, references: Iterable[str]) -> str:
        """Return a text that differs if the result of `hash` differs.

        It has the sizes, inodes and change times of files and folders. Unlike the modification time,
        programs cannot set the change time.
        """
        folder, framework_files = self._kernels_and_framework_files(source)
        stamps = " ".join(map(self.stamp, (*references, folder)))
        return f"{source.digest} {stamps} {framework_files}"

    def _kernels_and_framework_files(
        self, source: SourceFile
    ) -> tuple[str, tuple[tuple[str, str, str], ...]]:
        """Return the kernel folder of a spec, and its framework files."""
        folder, _, file = source.path.rpartition("/")
        family = file.removesuffix(".toml")
        return f"{self.kernels}/{family}", self.framework_files(folder).get(family, ())


def _drop_oldest(folder: Path) -> None:
    by_age = sorted(folder.glob("*.record"), key=lambda f: f.stat().st_mtime_ns)
    for file in by_age[:-MOST_RECORDS]:
        file.unlink()


def _stamp(path: str | Path) -> Stamp:
    info = os.lstat(path)
    return info.st_mtime_ns, info.st_size, info.st_ino


def _stamp_text(path: str) -> str:
    """Return the stamp of a file or folder, also through a link; "-" if it does not exist."""
    try:
        info = os.stat(path)
    except OSError:
        return "-"
    return f"{info.st_ctime_ns}/{info.st_size}/{info.st_ino}"


def _key(config: Config, targets: Sequence[str], out: str) -> str:
    """Return a hash of the inputs that all rendered files depend on.

    These are the configuration, Python, opgen, the formatter, and packages that extend the
    language. The hash also includes the names of ejected files, and the tables of `opgen tune`.
    """
    hashed = hashlib.sha256(f"{(config, targets, sys.version_info)} {_program()}".encode())
    if os.path.exists(f"{out}/{EJECTED}"):
        hashed.update(Path(out, EJECTED).read_bytes())
    for table in config.tables:
        content = hashlib.sha256(table.read_bytes()).hexdigest()
        hashed.update(f"\0{table.name}\0{content}".encode(errors="surrogateescape"))
    return hashed.hexdigest()


@cache
def _program() -> str:
    """Return a hash of the code that renders. A process keeps the code that it has started with."""
    hashed = hashlib.sha256()
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
