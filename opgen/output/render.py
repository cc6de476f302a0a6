"""Render all targets in memory, from a project to every output file.

opgen's own targets render one family at a time. Then they render the files about the whole project
from a summary of each family. So `compile.py` can render only what changed. A target of another
package renders everything at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from opgen.output.files import Facts, File, collect
from opgen.output.format import laid_out
from opgen.spec.extensions import builtin_targets, default_targets, package_of
from opgen.targets.target import OutputFile, Target

if TYPE_CHECKING:
    from opgen.ir.project import Family, Project, Whole

# The last shared files of each target in this process, with the arguments that they depend on.
_shared: dict[str, tuple[tuple[Whole, list[Any]], list[OutputFile]]] = {}


def render(project: Project, targets: Sequence[str] = ()) -> list[OutputFile]:
    """Return all files of `targets`, ordered by path, with the manifest last.

    Without `targets`, render the default targets. Raises `TargetError` for an unknown target, and
    for a path outside the output folder. Also raises it if two targets render different files to
    one path, or to paths that only differ in case.
    """
    names = targets or default_targets()
    rendered = [render_family(project, family, names) for family in project.families]
    own = [pair for files, _ in rendered for pair in files]
    shared = shared_files(project, [facts for _, facts in rendered], names)
    return collect(laid_out([*own, *shared, *outside_files(project, names)]))


def render_family(
    project: Project, family: Family, targets: Sequence[str]
) -> tuple[tuple[tuple[str, File], ...], Facts]:
    """Return the files that opgen's own `targets` render for a family, and the family's `Facts`."""
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
    """Return the files for the whole project, with their targets. `facts` covers all families."""
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
    found: list[tuple[str, File]] = []
    for name in targets:
        if name in builtin_targets():
            given = whole, [each.summaries[name] for each in facts]
            if name not in _shared or _shared[name][0] != given:
                _shared[name] = given, list(builtin(name).shared_outputs(*given))
            found += ((name, file) for file in _shared[name][1])
    return found


def outside_files(project: Project, targets: Sequence[str]) -> Iterator[tuple[str, File]]:
    """Yield the files of those `targets` that other packages define. Raises `TargetError`."""
    for name in targets:
        if name not in builtin_targets():
            for file in package_of(name).outputs(project):
                yield name, file


@cache
def builtin(name: str) -> Target:
    return cast("Target", import_module(f"opgen.targets.{name}.render"))
