"""Render all targets in memory, from a project to every file in `out`.

opgen's targets render one family at a time. Then they render the files about all families from a
summary of each family, so that `compile.py` can render changes alone. A target of another package
renders everything at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from opgen.output.format import laid_out
from opgen.output.identity import IDENTITY, identity
from opgen.source.frozen import dataclass
from opgen.source.version import __version__
from opgen.spec.extensions import TargetError, builtin_targets, default_targets, package_of
from opgen.targets.target import OutputFile, Target

if TYPE_CHECKING:
    from opgen.ir.project import Family, Project

Stamp = tuple[int, int, int]

MANIFEST = "MANIFEST"
# The first line of the manifest, a comment for `sha256sum`.
_BY = "# Rendered by opgen "
EJECTED = "EJECTED"
# The places of `opgen build` and the writer inside `out`. Targets must not write there.
RESERVED = ("lib", ".opgen")


class StandingFile(NamedTuple):
    """A file in `out` that is known to be unchanged.

    It counts as unchanged while its `stamp` is the same: modification time in ns, size, inode.
    """

    path: str
    digest: str
    stamp: Stamp


File = OutputFile | StandingFile


@dataclass(frozen=True)
class Facts:
    """The facts of a family for files about all families; `awaited` and `tuned` by platform."""

    family: str
    ops: Sequence[str]
    layouts: dict[str, str]
    awaited: dict[str, Sequence[str]]
    tuned: dict[str, list[str]]
    summaries: dict[str, Any]


def render(project: Project, targets: Sequence[str] = ()) -> list[OutputFile]:
    """Return every file of `targets` by path, the manifest last.

    Without `targets`, the default targets render. Raises `TargetError` for an unknown target, for a
    path outside `out`, and for a path with different texts or in different case.
    """
    names = targets or default_targets()
    rendered = [render_family(project, family, names) for family in project.families]
    own = [pair for files, _ in rendered for pair in files]
    shared = shared_files(project, [facts for _, facts in rendered], names)
    return collect(laid_out([*own, *shared, *outside_files(project, names)]))


def render_family(
    project: Project, family: Family, targets: Sequence[str]
) -> tuple[tuple[tuple[str, File], ...], Facts]:
    """Return one family's files from opgen's targets among `targets`, each with its target."""
    from opgen.compiler.tuned_tables import keys_of
    from opgen.ir.abi_hash import layout

    found = {name: builtin(name) for name in targets if name in builtin_targets()}
    files: list[tuple[str, File]] = []
    for name, target in found.items():
        files += ((name, file) for file in target.family_outputs(project, family))
    awaited: dict[str, Sequence[str]] = {}
    for op in family.ops:
        for kernel in op.awaited:
            awaited[kernel.platform] = (*awaited.get(kernel.platform, ()), op.name)
    summaries = {
        name: target.summary(project, family) if hasattr(target, "summary") else None
        for name, target in found.items()
    }
    names = tuple(op.name for op in family.ops)
    layouts = {op.name: layout(op) for op in family.ops}
    facts = Facts(family.name, names, layouts, awaited, keys_of(family.ops), summaries)
    return tuple(files), facts


def shared_files(
    project: Project, facts: Sequence[Facts], targets: Sequence[str]
) -> list[tuple[str, File]]:
    """Return the files about all families, each with its target; `facts` has every family."""
    from opgen.ir.abi_hash import layout_hash
    from opgen.ir.project import Whole

    layouts = {name: text for each in facts for name, text in each.layouts.items()}
    whole = Whole(
        package=project.package,
        namespace=project.namespace,
        kernels_dir=project.kernels_dir,
        families=tuple(each.family for each in facts),
        ops=tuple(name for each in facts for name in each.ops),
        layout=layout_hash(project.namespace, layouts),
        runtime=project.runtime,
    )
    return [
        (name, file)
        for name in targets
        if name in builtin_targets()
        for file in builtin(name).shared_outputs(whole, [each.summaries[name] for each in facts])
    ]


def outside_files(project: Project, targets: Sequence[str]) -> Iterator[tuple[str, File]]:
    """Yield the files of other packages' targets among `targets`. Raises `TargetError`."""
    for name in targets:
        if name not in builtin_targets():
            for file in package_of(name).outputs(project):
                yield name, file


def collect(rendered: Iterable[tuple[str, File]]) -> list[Any]:
    """Return the files by path, the manifest last. Each comes with its target.

    Raises `TargetError`.
    """
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
    """Return the files by path, with the package's identity, and with the manifest last.

    The manifest also lists `others`, the digests by path of files that are already in `out`. The
    identity also covers `ejected` files, in their rendered state.
    """
    made = {file.path: file for file in files if file.path != IDENTITY}
    digests = {path: digest for path, digest in others.items() if path != IDENTITY}
    digests |= {path: file.digest for path, file in made.items()}
    if (own := identity({**digests, **ejected})) is not None:
        made[IDENTITY], digests[IDENTITY] = own, own.digest
    return [*(made[path] for path in sorted(made)), OutputFile(MANIFEST, _listing(digests))]


def manifest_of(files: Sequence[File]) -> OutputFile:
    """Return the manifest, the last of the rendered files."""
    last = files[-1]
    assert isinstance(last, OutputFile)
    return last


def manifest(files: Iterable[File]) -> str:
    """Return the manifest of these files."""
    return _listing({file.path: file.digest for file in files})


def _listing(digests: Mapping[str, str]) -> str:
    """Return the version of opgen, and the hash of every file in the format of `sha256sum -c`."""
    lines = (f"{digests[path]}  {path}\n" for path in sorted(digests))
    return "".join([f"{_BY}{__version__}\n", *lines])


def rendered_by(listing: bytes) -> str | None:
    """Return the version of opgen that rendered a package, from its manifest."""
    first = listing.partition(b"\n")[0].decode(errors="replace").strip()
    return first.removeprefix(_BY) if first.startswith(_BY) else None


def newer_than_this(out: Path) -> str | None:
    """Return the version of opgen that rendered `out`, if that version is newer than this one."""
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


def builtin(name: str) -> Target:
    return cast("Target", import_module(f"opgen.targets.{name}.render"))


@cache
def is_output(path: str) -> bool:
    """Return whether a target may render to `path`, which must be a plain path inside `out`."""
    parts = path.split("/")
    return (
        parts[0] not in (MANIFEST, EJECTED, *RESERVED)
        and not {"", ".", ".."} & {*parts}
        and path.isprintable()
        and "\\" not in path
        and ":" not in path
    )
