"""All targets in memory: from a project to every file below `out`.

A target of opgen renders a family at a time and then what is about all families, of which
it keeps a summary each. `incremental.py` makes use of that; here all is rendered. A target
of another package renders everything at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from opgen.output.identity import IDENTITY, identity
from opgen.source.version import __version__
from opgen.spec.extensions import TargetError, builtin_targets, outside_targets, package_of
from opgen.targets.target import OutputFile, Target

if TYPE_CHECKING:
    from opgen.ir.project import Family, Project, Whole

Stamp = tuple[int, int, int]

MANIFEST = "MANIFEST"
# How it begins: a comment to `sha256sum`.
_BY = "# Rendered by opgen "
EJECTED = "EJECTED"
# What `opgen build` and the writer keep inside `out`; no target may write there.
RESERVED = ("lib", ".opgen")


class StandingFile(NamedTuple):
    """A file known to be in `out` as it would be rendered.

    Known as long as its `stamp` holds: modification time in ns, size, inode.
    """

    path: str
    digest: str
    stamp: Stamp


File = OutputFile | StandingFile
Outputs = Callable[["Project"], Iterable[OutputFile]]


def render(project: Project, targets: Sequence[str] = ()) -> list[OutputFile]:
    """Every file that `targets` (none: all there are) render, by path; the manifest last.

    Raises `TargetError` for an unknown target, for a path that leaves `out`, and for a
    path that comes twice with different texts, or in different case.
    """
    names = targets or (*builtin_targets(), *outside_targets())
    return collect((name, file) for name in names for file in find(name)(project))


def collect(rendered: Iterable[tuple[str, File]]) -> list[Any]:
    """The files by path, the manifest last; each comes with its target. Raises `TargetError`."""
    found: dict[str, tuple[str, File]] = {}
    for name, file in rendered:
        if not is_output(file.path):
            raise TargetError(f"target `{name}` must not render to {file.path!r}")
        first, other = found.setdefault(file.path.casefold(), (name, file))
        if (other.path, other.digest) != (file.path, file.digest):
            raise TargetError(f"targets `{first}` and `{name}` both render {file.path}")
    return completed(file for _, file in found.values())


def completed(
    files: Iterable[File], others: Mapping[str, str] = {}, ejected: Mapping[str, str] = {}
) -> list[Any]:
    """The files by path with the package's identity; the manifest last.

    The manifest lists `others` too, which are in `out`: their digests by path. The identity
    covers `ejected` files as well, as they were rendered.
    """
    made = {file.path: file for file in files if file.path != IDENTITY}
    digests = {path: digest for path, digest in others.items() if path != IDENTITY}
    digests |= {path: file.digest for path, file in made.items()}
    if (own := identity({**digests, **ejected})) is not None:
        made[IDENTITY], digests[IDENTITY] = own, own.digest
    return [*(made[path] for path in sorted(made)), OutputFile(MANIFEST, _listing(digests))]


def manifest_of(files: Sequence[File]) -> OutputFile:
    """The manifest: the last file of those that were rendered."""
    last = files[-1]
    assert isinstance(last, OutputFile)
    return last


def manifest(files: Iterable[File]) -> str:
    """The manifest of these files."""
    return _listing({file.path: file.digest for file in files})


def _listing(digests: Mapping[str, str]) -> str:
    """The version of opgen, and the hash of every file as `sha256sum -c` checks it."""
    lines = (f"{digests[path]}  {path}\n" for path in sorted(digests))
    return "".join([f"{_BY}{__version__}\n", *lines])


def rendered_by(listing: bytes) -> str | None:
    """The version of opgen that rendered a package, by its manifest."""
    first = listing.partition(b"\n")[0].decode(errors="replace").strip()
    return first.removeprefix(_BY) if first.startswith(_BY) else None


def newer_than_this(out: Path) -> str | None:
    """The version of opgen that rendered `out`, where it is newer than this one."""
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


def find(name: str) -> Outputs:
    """The function that renders target `name`. Raises `TargetError`."""
    if name in builtin_targets():
        return partial(_outputs, builtin(name))
    from opgen.output.format import formatted

    outputs = package_of(name).outputs
    return lambda project: map(formatted, outputs(project))


def builtin(name: str) -> Target:
    return cast("Target", import_module(f"opgen.targets.{name}.render"))


def _outputs(target: Target, project: Project) -> Iterator[OutputFile]:
    """Everything that a target of opgen renders."""
    for family in project.families:
        yield from target.family_outputs(project, family)
    summaries = [summary(target, project, family) for family in project.families]
    yield from target.shared_outputs(whole(project), summaries)


def summary(target: Target, project: Project, family: Family) -> Any:
    return target.summary(project, family) if hasattr(target, "summary") else None


def whole(project: Project) -> Whole:
    """What files about all of `project` are given."""
    from opgen.ir.abi_hash import layout, layout_hash
    from opgen.ir.project import Whole

    return Whole(
        package=project.package,
        namespace=project.namespace,
        kernels_dir=project.kernels_dir,
        families=tuple(family.name for family in project.families),
        ops=tuple(op.name for op in project.ops),
        layout=layout_hash(project.namespace, {op.name: layout(op) for op in project.ops}),
        runtime=project.runtime,
    )


@cache
def is_output(path: str) -> bool:
    """Whether a target may render to `path`: a plain one below `out`."""
    parts = path.split("/")
    return (
        parts[0] not in (MANIFEST, EJECTED, *RESERVED)
        and not {"", ".", ".."} & {*parts}
        and path.isprintable()
        and "\\" not in path
        and ":" not in path
    )
