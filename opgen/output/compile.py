"""Compile the specs of a project to files: all specs, or only the changed ones.

opgen compiles a spec again if the spec, its references, its kernels or one of its rendered files
has changed. It also compiles specs that share a name with such a spec or with a deleted one. The
files of all other specs stay unchanged. opgen compiles many specs in several processes. The number
of processes does not affect the output.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from itertools import islice

from opgen.compiler.framework_files import imported
from opgen.compiler.pipeline import findings, resolve
from opgen.compiler.tuned_tables import read_tables, unknown_kernels, with_tables
from opgen.ir.project import Family, Project
from opgen.output.cache import Known, Part, Record, inputs
from opgen.output.files import File, collect
from opgen.output.format import laid_out
from opgen.output.parallel import fork_map, processes
from opgen.output.render import outside_files, render_family, shared_files
from opgen.output.spec_groups import groups, ties
from opgen.source.diagnostics import Diagnostic, errors
from opgen.source.frozen import dataclass
from opgen.source.garbage import uncollected
from opgen.source.source_file import SourceFile
from opgen.spec.config import Config
from opgen.spec.extensions import builtin_targets
from opgen.spec.parse import parse_spec
from opgen.spec.spec import Spec

# Starting a process takes about as long as compiling this number of small specs.
SPECS_PER_PROCESS = 24


@dataclass(frozen=True)
class Compiled:
    """The result of a compilation.

    `found` are all findings, and `sources` the files that they point into. `files` has every
    rendered file, the manifest last, or is None if a finding is an error. `awaited` are the ops
    without a kernel, by platform. `record` is for the cache, without messages; it is None if there
    are findings.
    """

    found: Sequence[Diagnostic]
    sources: Mapping[str, SourceFile]
    files: Sequence[File] | None = None
    awaited: Mapping[str, Sequence[str]] = field(default_factory=dict)
    record: Record | None = None


@dataclass(frozen=True)
class _Work:
    """The result for some specs: the findings, and without errors also the parts and families."""

    found: list[Diagnostic]
    parts: dict[str, Part] = field(default_factory=dict)
    families: dict[str, Family] = field(default_factory=dict)


def compile(
    sources: Mapping[str, SourceFile],
    config: Config,
    targets: Sequence[str],
    known: Known = Known(),
) -> Compiled:
    """Check specs (by path) and render `targets`. Parts in `known` are reused, not rendered again.

    Raises `TargetError`.
    """
    seen, parts = dict(sources), dict(known.parts)
    outside = not {*targets} <= {*builtin_targets()}
    with uncollected():
        specs, tied, misread = _read(sources, parts, known.stale, config.package)
        elsewhere = frozenset(name for part in parts.values() for name in part.known.ops)
        tables, unread = read_tables(config.tables, seen)

        def work(chunk: list[list[str]]) -> _Work:
            own = {path: sources[path] for group in chunk for path in group}
            read = {path: specs[path] for path in own if path in specs}
            found = findings(read, misread, own, config, elsewhere)
            seen.update(own)
            made = _Work(found)
            for group in chunk if not errors(found) else ():
                project = resolve({path: specs[path] for path in group}, sources, config)
                project, misfits = with_tables(project, tables, seen)
                made.found.extend(misfits)
                for path, family in zip(group, project.families, strict=True):
                    made.parts[path] = _part(
                        sources[path], project, family, config, targets, tied[path]
                    )
                    if outside:
                        made.families[path] = family
            return made

        whole = groups(tied)
        chunks = [whole] if misread or outside else _chunks(whole)
        done = fork_map(work, chunks)
        if len(chunks) > 1 and any(each.found for each in done):
            done = [work(whole)]  # findings of one chunk may depend on mistakes in another chunk
        found = [finding for each in done for finding in each.found]
        for each in done:
            parts |= each.parts
        if parts.keys() == sources.keys():
            tuned = _by_platform(part.known.tuned for part in parts.values())
            found += unread + unknown_kernels(tuned, tables, seen)
        if errors(found):
            return Compiled(found, seen)
        families = {path: family for each in done for path, family in each.families.items()}
        return _together(found, seen, dict(sorted(parts.items())), families, config, targets)


def _read(
    sources: Mapping[str, SourceFile], parts: dict[str, Part], names: frozenset[str], package: str
) -> tuple[dict[str, Spec], dict[str, frozenset[str]], list[Diagnostic]]:
    """Read the specs that `parts` lacks, and all specs that share a name with them.

    Also read the specs that share one of `names`. Remove the parts of all these specs from `parts`.
    Return the specs that were read, the names that each may share, and the mistakes in their text.
    """
    holders: dict[str, list[str]] = {}
    for path, part in parts.items():
        for name in part.ties:
            holders.setdefault(name, []).append(path)
    specs: dict[str, Spec] = {}
    tied: dict[str, frozenset[str]] = {}
    misread: list[Diagnostic] = []
    todo = [path for path in sources if path not in parts]
    while todo or names:
        for path in todo:
            spec, found = parse_spec(sources[path])
            misread += found
            tied[path] = frozenset() if spec is None else ties(spec).union(imported(path, package))
            names |= tied[path]
            if spec is not None:
                specs[path] = spec
        todo = sorted({p for n in names for p in holders.pop(n, ()) if p in parts})
        for path in todo:
            del parts[path]
        names = frozenset()
    return specs, tied, misread


def _chunks(found: list[list[str]]) -> list[list[list[str]]]:
    """Split groups of specs into chunks of similar size, one chunk for each process."""
    size = sum(map(len, found))
    count = processes(size, SPECS_PER_PROCESS)
    chunks: list[list[list[str]]] = [[] for _ in range(count)]
    done = 0
    for group in found:
        chunks[done * count // size].append(group)
        done += len(group)
    return chunks


def _part(
    source: SourceFile,
    project: Project,
    family: Family,
    config: Config,
    targets: Sequence[str],
    tied: frozenset[str],
) -> Part:
    """Render the spec of a family, and return the result."""
    files = [file for file, _ in family.references] + [f.name for f in family.framework_files]
    beside = [os.path.join(os.path.dirname(source.path), file) for file in files]
    beside += [os.path.join(config.kernels_dir, file) for file, _ in family.python_kernels]
    kernels = dict.fromkeys(file for op in family.ops for k in op.kernels for file in k.sources)
    return Part(
        inputs(source, config, beside, kernels),
        tuple(beside),
        tuple(kernels),
        tied,
        *render_family(project, family, targets),
    )


def _together(
    found: list[Diagnostic],
    sources: Mapping[str, SourceFile],
    parts: dict[str, Part],
    families: Mapping[str, Family],
    config: Config,
    targets: Sequence[str],
) -> Compiled:
    """Return the files of all specs together with the files that cover the whole project."""
    facts = [part.known for part in parts.values()]
    own = [pair for part in parts.values() for pair in part.files]
    project = Project(
        config.package,
        config.namespace,
        tuple(families[path] for path in sorted(families)),
        config.kernels,
        config.runtime,
    )
    shared = shared_files(project, facts, targets)
    rendered = laid_out([*own, *shared, *outside_files(project, targets)])
    files, left = collect(rendered), iter(rendered)
    parts = {
        path: replace(part, files=tuple(islice(left, len(part.files))))
        for path, part in parts.items()
    }
    paths = {file.path for _, file in own}
    others = tuple(file for file in files if file.path not in paths)
    record = None if found else Record(parts, others)
    return Compiled(found, sources, files, _by_platform(each.awaited for each in facts), record)


def _by_platform(tables: Iterable[Mapping[str, Sequence[str]]]) -> dict[str, list[str]]:
    """Merge `tables`, each a mapping of platforms to names, into one mapping."""
    found: dict[str, list[str]] = {}
    for table in tables:
        for platform, names in table.items():
            found.setdefault(platform, []).extend(names)
    return found
