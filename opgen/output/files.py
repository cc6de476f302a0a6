"""The files of a package, either rendered or known to be unchanged, and the package's manifest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from opgen.output.identity import IDENTITY, identity
from opgen.source.frozen import dataclass
from opgen.source.version import __version__
from opgen.spec.extensions import TargetError
from opgen.targets.target import OutputFile

Stamp = tuple[int, int, int]

MANIFEST = "MANIFEST"
# The first line of the manifest, a comment for `sha256sum`.
_BY = "# Rendered by opgen "
_HEAD = f"{_BY}{__version__}\n"
EJECTED = "EJECTED"
# Subfolders of the output folder that `opgen build` and the writer use. Targets must not write
# there.
RESERVED = ("lib", ".opgen")


class StandingFile(NamedTuple):
    """A file in the output folder that is known to be unchanged.

    It counts as unchanged while its `stamp` is the same: modification time in ns, size, inode.
    """

    path: str
    digest: str
    stamp: Stamp


File = OutputFile | StandingFile


@dataclass(frozen=True)
class Facts:
    """The information about one family that appears in files for the whole project.

    `awaited` has the ops without a kernel, and `tuned` the tuned kernels, both by platform.
    """

    family: str
    ops: Sequence[str]
    layouts: dict[str, str]
    awaited: dict[str, Sequence[str]]
    tuned: dict[str, list[str]]
    summaries: dict[str, Any]


def collect(
    rendered: Iterable[tuple[str, File]], kept: Iterable[tuple[str, File]] = ()
) -> list[Any]:
    """Return the files ordered by path, with the manifest last.

    `rendered` has each file with its target, and `kept` those of an earlier render that stay. Raises
    `TargetError`.
    """
    found = {file.path.casefold(): (name, file) for name, file in kept}
    for name, file in rendered:
        if not is_output(file.path):
            raise TargetError(f"target `{name}` must not render to {file.path!r}")
        first, other = found.setdefault(file.path.casefold(), (name, file))
        if other is not file and (other.path, other.digest) != (file.path, file.digest):
            raise TargetError(f"targets `{first}` and `{name}` both render {file.path}")
    return completed(file for _, file in found.values())


def completed(
    files: Iterable[File], others: Mapping[str, str] = {}, ejected: Mapping[str, str] = {}
) -> list[Any]:
    """Return the files by path, with the package's identity file, and with the manifest last.

    `others` maps paths of files that are already on disk to digests. The manifest lists these files
    too. The identity also covers `ejected` files, with their hashes before the user's edits.
    """
    made = {file.path: file for file in files}
    lines = _lines({**others, **{path: file.digest for path, file in made.items()}, IDENTITY: ""})
    own = identity({**lines, **_lines(ejected)} if ejected else lines)
    if own is None:
        del lines[IDENTITY]
    else:
        made[IDENTITY] = own
        lines |= _lines({IDENTITY: own.digest})
    own_files = [made[path] for path in lines if path in made]
    return [*own_files, OutputFile(MANIFEST, _HEAD + "".join(lines.values()))]


def manifest_of(files: Sequence[File]) -> OutputFile:
    """Return the manifest, the last of the rendered files."""
    last = files[-1]
    assert isinstance(last, OutputFile)
    return last


def manifest(files: Iterable[File]) -> str:
    """Return the text of the manifest for these files."""
    return _HEAD + "".join(_lines({file.path: file.digest for file in files}).values())


def _lines(digests: Mapping[str, str]) -> dict[str, str]:
    """Return the lines of the manifest for `digests`, a mapping of paths to hashes.

    They are in the format of `sha256sum -c`.
    """
    return {path: f"{digests[path]}  {path}\n" for path in sorted(digests)}


def rendered_by(listing: bytes) -> str | None:
    """Return the version of opgen that rendered a package, from the text of its manifest."""
    first = listing.partition(b"\n")[0].decode(errors="replace").strip()
    return first.removeprefix(_BY) if first.startswith(_BY) else None


def newer_than_this(out: Path) -> str | None:
    """Return the version of opgen that rendered `out`, if that version is newer than this opgen."""
    try:
        version = rendered_by((out / MANIFEST).read_bytes())
    except OSError:
        return None
    if version in (None, __version__):
        return None
    from packaging.version import InvalidVersion, Version

    try:
        return version if Version(str(version)) > Version(__version__) else None
    except InvalidVersion:
        return None


@cache
def is_output(path: str) -> bool:
    """Return whether a target may render to `path`: a plain path outside the `RESERVED` folders."""
    parts = path.split("/")
    return (
        parts[0] not in (MANIFEST, EJECTED, *RESERVED)
        and not {"", ".", ".."} & {*parts}
        and path.isprintable()
        and "\\" not in path
        and ":" not in path
    )
