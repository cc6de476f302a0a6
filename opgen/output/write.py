"""Write changed files to disk atomically, the manifest last.

The manifest in the output folder lists the files that opgen wrote, with their hashes. If the hash
of a file differs from the manifest, a person has edited the file. Before the first write, opgen
writes the new hashes to a journal. So after a killed render, the next render does not mistake the
files of the killed render for edited files.

opgen resolves every path from the output folder downwards, part by part, without following symbolic
links. So it reads, writes or removes nothing outside this folder.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from opgen.output.files import (
    EJECTED,
    MANIFEST,
    File,
    completed,
    is_output,
    manifest,
    manifest_of,
)
from opgen.output.parallel import fork_map, processes
from opgen.source.failure import Failure
from opgen.source.frozen import dataclass
from opgen.source.lock import locked
from opgen.targets.target import OutputFile

# Starting a process takes about as long as writing this number of small files.
FILES_PER_PROCESS = 500
STAGING = ".opgen"
_JOURNAL = f"{STAGING}/journal"

Hashes = dict[str, set[str]]


class WriteError(Failure):
    """Error for an output folder that cannot be written. The message states the reason."""


class FilesChanged(Exception):
    """Error for rendered files, in `paths`, that have changed since the last render."""

    def __init__(self, paths: Sequence[str]) -> None:
        super().__init__(*paths)
        self.paths = frozenset(paths)


@dataclass(frozen=True)
class Changes:
    """The differences between the output folder and the rendered files, as sorted relative paths.

    - `missing`: rendered files that do not exist on disk.
    - `stale`: files whose content is from an earlier render.
    - `edited`: rendered files that a person has edited.
    - `orphaned`: files of an earlier render that this render does not have.
    - `forgotten`: like `orphaned`, but a person has edited them.
    - `converted`: files that match this or an earlier render except for CRLF line ends.
    """

    missing: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    orphaned: tuple[str, ...] = ()
    forgotten: tuple[str, ...] = ()
    converted: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any(vars(self).values())


def check(files: Sequence[File], out: Path, *, partial: bool = False) -> Changes:
    """Return the differences between `out` and `files`. Write nothing.

    The last of `files` is the manifest. With `partial`, `files` belong to some targets only, and
    files of other targets may exist. Raises `FilesChanged`.
    """
    if not out.is_dir():
        return Changes(missing=tuple(file.path for file in files))
    tree = _Tree(out)
    return _compare(_with_others(files, tree) if partial else files, tree)


def write(
    files: Sequence[File],
    out: Path,
    *,
    force: bool = False,
    partial: bool = False,
    waiting: Callable[[], None] = lambda: None,
    written: Callable[[Changes], None] = lambda changes: None,
) -> Changes:
    """Make `out` contain `files`, and return the differences before the write.

    Files that a person has edited are not changed, unless `force` is set. `waiting` is called once
    if another render has locked `out`. `written` is called at the end, unless another render has
    started. Raises `WriteError`. Raises `FilesChanged`, but only before the first write.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        tree = _Tree(out)
        with locked(out, waiting):
            files = _with_others(files, tree) if partial else files
            changes = _compare(files, tree)
            if changes or tree.folder(STAGING) is not None:
                _apply(files, changes, tree, force)
            written(changes)
            return changes
    except OSError as error:
        raise WriteError(f"{error.filename or out}: {error.strerror}") from error


def replace(out: Path, texts: Mapping[str, str], waiting: Callable[[], None]) -> None:
    """Write `texts` to files of `out` in order, each file atomically. Raises `WriteError`."""
    try:
        with locked(out, waiting):
            tree = _Tree(out)
            with tree.staging():
                for path, text in texts.items():
                    tree.write(path, text.encode())
    except OSError as error:
        raise WriteError(f"{error.filename or out}: {error.strerror}") from error


def _with_others(files: Sequence[File], tree: _Tree) -> Sequence[File]:
    """Return `files` with a manifest that still lists the existing files of other targets."""
    made = {file.path for file in files}
    others = {path: min(own) for path, own in _unlisted(files, tree).items() if path not in made}
    ejected = {path: min(own) for path, own in _hashes(_lines(tree.read(EJECTED))).items()}
    if not ejected and not others:
        return files  # the manifest already lists all files
    return completed(files[:-1], others, ejected)


def _compare(files: Sequence[File], tree: _Tree) -> Changes:
    rest = tree.without_standing(files)
    listed = _unlisted(files, tree)
    begun = _hashes(_lines(tree.read(_JOURNAL)))
    missing, stale, edited, orphaned, forgotten, converted = (list[str]() for _ in range(6))
    for file in rest:
        path = file.path
        found = tree.digest(path) if tree.has(path) else None
        if found is None:
            missing.append(path)
        elif found != file.digest:
            known = listed.get(path, set()) | begun.get(path, set())
            own = path == MANIFEST or found in known
            same = tree.digest(path, lines=True) in {file.digest, *known}
            (stale if own else converted if same else edited).append(path)
    old = {*listed, *begun}.difference(file.path for file in files)
    rendered = _hashes(_lines(manifest_of(files).data)) if old else {}
    for path in sorted(old - rendered.keys()):
        found, known = tree.digest(path), listed.get(path, set()) | begun.get(path, set())
        if found in known or tree.digest(path, lines=True) in known:
            orphaned.append(path)
        elif found is not None and path in listed:
            forgotten.append(path)
    return Changes(*map(tuple, (missing, stale, edited, orphaned, forgotten, converted)))


def _apply(files: Sequence[File], changes: Changes, tree: _Tree, force: bool) -> None:
    due = {*changes.missing, *changes.stale, *changes.converted, *(changes.edited if force else ())}
    made = (file for file in files if isinstance(file, OutputFile))
    writes = [file for file in made if file.path in due and file.path != MANIFEST]
    with tree.staging():
        # If two renders in a row are killed, the journal must have the hashes of both renders.
        begun = tree.read(_JOURNAL) or b""
        tree.write(_JOURNAL, begun + manifest(writes).encode())
        count = processes(len(writes), FILES_PER_PROCESS)
        fork_map(partial(_write_share, tree, writes, count), range(count))
        for path in (*changes.orphaned, *(changes.forgotten if force else ())):
            tree.remove(path)
        if MANIFEST in due:
            tree.write(MANIFEST, manifest_of(files).data)


def _write_share(tree: _Tree, files: Sequence[OutputFile], count: int, share: int) -> None:
    """Write every `count`-th file, starting with the file at index `share`."""
    for file in files[share::count]:
        tree.write(file.path, file.data, f"new{share}")


def _unlisted(files: Sequence[File], tree: _Tree) -> Hashes:
    """Return the hashes in the manifest on disk that the manifest of `files` does not list."""
    own = _lines(manifest_of(files).data)
    return _hashes({*_lines(tree.read(MANIFEST))}.difference(own))


def _lines(listing: bytes | None) -> list[bytes]:
    return (listing or b"").splitlines()


def _hashes(lines: Iterable[bytes]) -> Hashes:
    """Return the hashes of each path in the lines of a manifest or journal.

    Skip invalid lines.
    """
    found: Hashes = {}
    for line in lines:
        digest, _, name = line.decode(errors="replace").partition("  ")
        if is_output(name):
            found.setdefault(name, set()).add(digest)
    return found


class _Tree:
    """The files in a folder, opened without following symbolic links."""

    def __init__(self, root: Path) -> None:
        self.folders = {"": os.fspath(root)}
        self.names: dict[str, frozenset[str]] = {}

    @contextmanager
    def staging(self) -> Iterator[None]:
        """Context manager: create an empty folder for temporary files, and remove it afterwards."""
        folder = self.folder(STAGING, create=True)
        assert folder is not None
        for name in os.listdir(folder):
            if name != "journal":
                os.unlink(f"{folder}/{name}")
        yield
        with suppress(FileNotFoundError):
            os.unlink(f"{folder}/journal")
        os.rmdir(folder)
        del self.folders[STAGING]

    def folder(self, path: str, create: bool = False) -> str | None:
        """Return the path of a folder; None if it does not exist."""
        if path in self.folders:
            return self.folders[path]
        above, _, name = path.rpartition("/")
        parent = self.folder(above, create)
        if parent is None:
            return None
        place = f"{parent}/{name}"
        if create:
            with suppress(FileExistsError):
                os.mkdir(place)
        kind = _kind(place)
        if kind is None:
            return None
        if not stat.S_ISDIR(kind):
            raise WriteError(
                f"{place} is no folder, or a symbolic link; "
                "opgen writes nothing outside the output folder"
            )
        self.folders[path] = place
        return place

    def place(self, path: str) -> str | None:
        """Return the full path of an existing or new file; None if its folder does not exist."""
        above, _, name = path.rpartition("/")
        folder = self.folder(above)
        return None if folder is None else f"{folder}/{name}"

    def has(self, path: str) -> bool:
        """Return whether a file existed when this method first read its folder."""
        above, _, name = path.rpartition("/")
        if above not in self.names:
            folder = self.folder(above)
            self.names[above] = frozenset(() if folder is None else os.listdir(folder))
        return name in self.names[above]

    def read(self, path: str) -> bytes | None:
        """Return the contents of a file: None if it does not exist, b"" if it cannot be read."""
        place = self.place(path)
        kind = None if place is None else _kind(place)
        if place is None or kind is None:
            return None
        try:
            return _contents(place) if stat.S_ISREG(kind) else b""
        except OSError:
            return b""

    def digest(self, path: str, lines: bool = False) -> str | None:
        """Return the hash of a file; with `lines`, as if all its lines ended in LF."""
        data = self.read(path)
        if data is not None and lines:
            data = data.replace(b"\r\n", b"\n")
        return None if data is None else hashlib.sha256(data).hexdigest()

    def without_standing(self, files: Iterable[File]) -> list[OutputFile]:
        """Return the rendered ones of `files`. Raises `FilesChanged` if a standing file differs."""
        rendered, changed = list[OutputFile](), list[str]()
        root, checked, lstat = self.folders[""], {""}, os.lstat
        for file in files:
            if isinstance(file, OutputFile):
                rendered.append(file)
                continue
            path, _, stamp = file
            above = path.rpartition("/")[0]
            try:
                if above not in checked:
                    self.folder(above)
                    checked.add(above)
                info = lstat(f"{root}/{path}")
                if (info.st_mtime_ns, info.st_size, info.st_ino) != stamp:
                    changed.append(path)
            except FileNotFoundError:
                changed.append(path)
        if changed:
            raise FilesChanged(changed)
        return rendered

    def write(self, path: str, data: bytes, draft: str = "new") -> None:
        """Replace the file at `path` atomically. A reader sees the old or the new content.

        The new content is first written to the file `draft`. Each process uses a different `draft`.
        """
        above, _, name = path.rpartition("/")
        folder = self.folder(above, create=True)
        assert folder is not None
        draft = f"{self.folders[STAGING]}/{draft}"
        with open(draft, "wb") as file:
            file.write(data)
        os.replace(draft, f"{folder}/{name}")

    def remove(self, path: str) -> None:
        """Remove a file, and all folders that this leaves empty."""
        place = self.place(path)
        assert place is not None
        os.unlink(place)
        above = path.rpartition("/")[0]
        while above:
            try:
                os.rmdir(self.folders[above])
            except OSError:
                return
            del self.folders[above]
            above = above.rpartition("/")[0]


def _contents(place: str) -> bytes:
    with open(place, "rb") as file:
        return file.read()


def _kind(place: str) -> int | None:
    """Return the mode of an existing path, without following a link; None if it does not exist."""
    try:
        return os.lstat(place).st_mode
    except FileNotFoundError:
        return None
