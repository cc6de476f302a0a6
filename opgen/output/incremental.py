"""Renders what may have changed since a record was kept, and takes the rest from there.

A spec is looked at anew where it, its references or its kernels have changed, where one of
its files is not in `out` as it was written, and where it shares a name with such a spec or
with one that is gone. The others come out as before. Many specs are looked at in several
processes; nothing of what comes out depends on how many.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from opgen.compiler.pipeline import check, resolve, uncollected
from opgen.compiler.project_checks import check_files
from opgen.compiler.tuned_tables import (
    keys_of,
    read_tables,
    unknown_kernels,
    with_tables,
)
from opgen.ir.abi_hash import layout, layout_hash
from opgen.ir.project import Family, Project, Whole
from opgen.lint.suppress import suppress
from opgen.output.cache import Facts, Part, Record, inputs
from opgen.output.parallel import fork_map, processors
from opgen.output.render import File, builtin, collect, render, summary
from opgen.output.spec_groups import groups, ties
from opgen.source.source_file import SourceFile
from opgen.spec.config import Config
from opgen.spec.parse import parse_spec
from opgen.spec.spec import Spec
from opgen.spec.tuned import TableFile

# A process of its own costs about as much as this many small specs.
SPECS_PER_PROCESS = 24


@dataclass(frozen=True)
class Rendering:
    """Every file, the manifest last; which ops await a kernel, by platform.

    `record` lacks what is said; None: this cannot be remembered.
    """

    files: Sequence[File]
    awaited: Mapping[str, Sequence[str]]
    record: Record | None = None


def render_whole(project: Project, targets: Sequence[str]) -> Rendering:
    """What targets, also those of other packages, render. Raises `TargetError`."""
    awaited: dict[str, list[str]] = {}
    for op in project.ops:
        for kernel in op.awaited:
            awaited.setdefault(kernel.platform, []).append(op.name)
    return Rendering(render(project, targets), awaited)


def render_changed(
    sources: Mapping[str, SourceFile],
    config: Config,
    targets: Sequence[str],
    known: Record,
    sound: Mapping[str, Part],
) -> Rendering | None:
    """What `targets`, all of opgen, render from specs (by path); `sound` parts are kept.

    None where anything is wrong with the specs: then all have to be looked at together, to
    say it. Raises `TargetError`.
    """
    parts = {path: part for path, part in sound.items() if part.facts is not None}
    affected = _affected(sources, known, parts)
    if affected is None:
        return None
    specs, tied = affected
    tables, problems = read_tables(config.tables, {})
    if problems:
        return None

    def work(chunk: list[list[str]]) -> dict[str, Part] | None:
        return _parts(chunk, specs, tied, sources, config, targets, tables)

    with uncollected():
        for found in fork_map(work, _chunks(groups(tied))):
            if found is None:
                return None
            parts |= found
        if _unknown(parts, tables):
            return None
        return _together({path: parts[path] for path in sorted(parts)}, config, targets)


def _affected(
    sources: Mapping[str, SourceFile], known: Record, parts: dict[str, Part]
) -> tuple[dict[str, Spec], dict[str, frozenset[str]]] | None:
    """The specs that are not in `parts`, and those tied to them, which it loses; their ties.

    None where one of them cannot be parsed.
    """
    holders: dict[str, list[str]] = {}
    for path, part in parts.items():
        for name in part.ties:
            holders.setdefault(name, []).append(path)
    names: set[str] = set()
    for path, part in known.parts.items():
        if path not in parts:
            names |= part.ties
    specs: dict[str, Spec] = {}
    tied: dict[str, frozenset[str]] = {}
    todo = [path for path in sources if path not in parts]
    while todo or names:
        for path in todo:
            spec, found = parse_spec(sources[path])
            if spec is None or found:
                return None
            specs[path], tied[path] = spec, ties(spec)
            names |= tied[path]
        todo = sorted({p for n in names for p in holders.pop(n, ()) if p in parts})
        for path in todo:
            del parts[path]
        names = set()
    return specs, tied


def _chunks(found: list[list[str]]) -> list[list[list[str]]]:
    """The groups in as many chunks as processes are worth while, alike in size."""
    size = sum(map(len, found))
    count = max(1, min(processors(), size // SPECS_PER_PROCESS))
    chunks: list[list[list[str]]] = [[] for _ in range(count)]
    done = 0
    for group in found:
        chunks[done * count // size].append(group)
        done += len(group)
    return chunks


def _parts(
    chunk: list[list[str]],
    every: Mapping[str, Spec],
    tied: Mapping[str, frozenset[str]],
    sources: Mapping[str, SourceFile],
    config: Config,
    targets: Sequence[str],
    tables: Sequence[TableFile],
) -> dict[str, Part] | None:
    """The parts of groups that share no name; None where anything is found in them."""
    specs = {path: every[path] for group in chunk for path in group}
    found = check(specs) + check_files(specs, config.kernels_dir, dict(sources))
    if suppress(found, {path: sources[path] for path in specs}):
        return None
    parts = {}
    for group in chunk:
        project = resolve({path: specs[path] for path in group}, sources, config)
        project, problems = with_tables(project, tables, {})
        if problems:
            return None
        for path, family in zip(group, project.families, strict=True):
            folder = os.path.dirname(path)
            read = (*family.references, *family.optimizers)
            references = tuple(os.path.join(folder, file) for file, _ in read)
            written = family.python_kernels
            references += tuple(os.path.join(config.kernels_dir, file) for file, _ in written)
            kernels = [file for op in family.ops for k in op.kernels for file in k.sources]
            beside = tuple(dict.fromkeys(kernels))
            parts[path] = Part(
                inputs(sources[path], config, references, beside),
                references,
                beside,
                tied[path],
                tuple(_files(project, family, targets)),
                _facts(project, family, targets),
            )
    return parts


def _unknown(parts: Mapping[str, Part], tables: Sequence[TableFile]) -> bool:
    """Whether a table has a kernel that none of the parts has."""
    known: dict[str, list[str]] = {}
    for part in parts.values():
        for platform, names in part.facts.tuned.items() if part.facts is not None else ():
            known.setdefault(platform, []).extend(names)
    return bool(unknown_kernels(known, tables, {}))


def _files(project: Project, family: Family, targets: Sequence[str]) -> list[tuple[str, File]]:
    found: list[tuple[str, File]] = []
    for name in targets:
        for file in builtin(name).family_outputs(project, family):
            # Here, for it is computed once and many processes may share the work.
            file.digest
            found.append((name, file))
    return found


def _facts(project: Project, family: Family, targets: Sequence[str]) -> Facts:
    awaited: dict[str, Sequence[str]] = {}
    for op in family.ops:
        for kernel in op.awaited:
            names = awaited.get(kernel.platform, ())
            awaited[kernel.platform] = (*names, op.name)
    return Facts(
        family=family.name,
        ops=tuple(op.name for op in family.ops),
        layouts={op.name: layout(op) for op in family.ops},
        awaited=awaited,
        tuned=keys_of(replace(project, families=(family,))),
        summaries={n: summary(builtin(n), project, family) for n in targets},
    )


def _together(parts: dict[str, Part], config: Config, targets: Sequence[str]) -> Rendering:
    """All files of the parts, and those about all of them."""
    facts = [part.facts for part in parts.values() if part.facts is not None]
    layouts = {name: text for each in facts for name, text in each.layouts.items()}
    whole = Whole(
        package=config.package,
        namespace=config.namespace,
        kernels_dir=config.kernels,
        families=tuple(each.family for each in facts),
        ops=tuple(layouts),
        layout=layout_hash(config.namespace, layouts),
        runtime=config.runtime,
    )
    shared = [
        (name, file)
        for name in targets
        for file in builtin(name).shared_outputs(whole, [each.summaries[name] for each in facts])
    ]
    files = collect([*(pair for part in parts.values() for pair in part.files), *shared])
    awaited: dict[str, list[str]] = {}
    for each in facts:
        for platform, names in each.awaited.items():
            awaited.setdefault(platform, []).extend(names)
    own = {file.path for part in parts.values() for _, file in part.files}
    others = tuple(file for file in files if file.path not in own)
    return Rendering(files, awaited, Record(parts, others))
