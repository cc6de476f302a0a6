"""All targets in memory: from a project to every file below `out`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opgen.ir import Project

MANIFEST = "MANIFEST"
# What `opgen build` and the writer keep inside `out`; no target may write there.
RESERVED = ("lib", ".opgen")


class TargetError(Exception):
    """A target does not exist, or renders what it must not."""


@dataclass(frozen=True)
class OutputFile:
    """A rendered file. `path` is relative to `out`, with `/` between its parts."""

    path: str
    text: str

    @cached_property
    def data(self) -> bytes:
        return self.text.encode()

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


Outputs = Callable[["Project"], Iterable[OutputFile]]


def render(project: Project, targets: Sequence[str] = ()) -> list[OutputFile]:
    """Every file that `targets` (none: all there are) render, by path; the manifest last.

    Raises `TargetError` for an unknown target, for a path that leaves `out`, and for a
    path that comes twice with different texts, or in different case.
    """
    known = builtin_targets()
    found: dict[str, tuple[str, OutputFile]] = {}
    for name in targets or (*known, *outside_targets()):
        for file in find(name)(project):
            if not is_output(file.path):
                raise TargetError(f"target `{name}` must not render to {file.path!r}")
            first, other = found.setdefault(file.path.casefold(), (name, file))
            if other != file:
                raise TargetError(f"targets `{first}` and `{name}` both render {file.path}")  # fmt: skip
    files = sorted((file for _, file in found.values()), key=lambda f: f.path)
    return [*files, OutputFile(MANIFEST, manifest(files))]


def manifest(files: Iterable[OutputFile]) -> str:
    """The hash of every file, as `sha256sum` writes it; `sha256sum -c` checks it."""
    return "".join(f"{file.digest}  {file.path}\n" for file in files)


def builtin_targets() -> tuple[str, ...]:
    """The folders beside `opgen/targets/__init__.py`."""
    folder = Path(__file__).parent / "targets"
    return tuple(sorted(f.parent.name for f in folder.glob("*/__init__.py")))


def outside_targets() -> tuple[str, ...]:
    """Targets of other packages: the entry points of the group `opgen.targets`."""
    from importlib.metadata import entry_points

    return tuple(
        sorted(entry_points(group="opgen.targets").names - {*builtin_targets()})
    )


def find(name: str) -> Outputs:
    """The function that renders target `name`. Raises `TargetError`."""
    if name in builtin_targets():
        return import_module(f"opgen.targets.{name}").outputs
    from importlib.metadata import entry_points

    for entry in entry_points(group="opgen.targets", name=name):
        from opgen.format import formatted

        outputs = entry.load().outputs
        return lambda project: map(formatted, outputs(project))
    known = ", ".join((*builtin_targets(), *outside_targets()))
    raise TargetError(f"there is no target `{name}`; there are {known}")


def is_output(path: str) -> bool:
    """Whether a target may render to `path`: a plain one below `out`."""
    parts = PurePosixPath(path).parts
    return (
        bool(parts)
        and PurePosixPath(path).as_posix() == path
        and parts[0] not in ("/", MANIFEST, *RESERVED)
        and ".." not in parts
        and path.isprintable()
        and "\\" not in path
        and ":" not in path
    )
