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

from opgen.compiler.pipeline import findings, resolve
from opgen.compiler.tuned_tables import read_tables, unknown_kernels, with_tables
from opgen.ir.project import Family, Project
from opgen.output.cache import Inputs, Known, Part, Record
from opgen.output.files import MANIFEST, File, collect
from opgen.output.format import laid_out
from opgen.output.identity import IDENTITY
from opgen.output.parallel import Steps, fork_together, processes
from opgen.output.reader import Read, Reader
from opgen.output.render import outside_files, render_family, shared_files
from opgen.output.spec_groups import groups
from opgen.source.diagnostics import Diagnostic, errors
from opgen.source.frozen import dataclass
from opgen.source.garbage import uncollected
from opgen.source.source_file import SourceFile
from opgen.spec.config import Config
from opgen.spec.extensions import builtin_targets

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
    """The result for some specs: their findings. Without errors, it also has parts and families."""

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
    seen, parts, inputs = dict(sources), dict(known.parts), Inputs(config)
    outside = not {*targets} <= {*builtin_targets()}
    with uncollected():
        reader = Reader(sources, config.package)
        tables, unread = read_tables(config.tables, seen)
        due = [path for path in sources if path not in parts]
        count = 1 if outside else processes(len(due), SPECS_PER_PROCESS)
        size = -(-len(due) // count)

        def work(number: int) -> Steps[Read, _Work]:
            every = yield reader.read(due[number * size : (number + 1) * size])
            reader.join(every, parts, known.stale)
            chunks = _chunks(groups(reader.tied), 1 if reader.misread else count)
            return made(chunks[number]) if number < len(chunks) else _Work([])

        def made(chunk: list[list[str]]) -> _Work:
            elsewhere = frozenset(name for part in parts.values() for name in part.known.ops)
            own = {path: sources[path] for group in chunk for path in group}
            specs = reader.specs_of(own)
            found = findings(specs, reader.misread, own, config, elsewhere)
            seen.update(own)
            made = _Work(found)
            for group in chunk if not errors(found) else ():
                project = resolve({path: specs[path] for path in group}, sources, config)
                project, misfits = with_tables(project, tables, seen)
                made.found.extend(misfits)
                for path, family in zip(group, project.families, strict=True):
                    made.parts[path] = _part(
                        sources[path], project, family, inputs, targets, reader.tied[path]
                    )
                    if outside:
                        made.families[path] = family
            return made if count == 1 else replace(made, parts=_laid_out(made.parts))

        done = fork_together(work, range(count))
        if count > 1 and any(each.found for each in done):
            # Findings of one chunk may depend on mistakes in another chunk.
            done = [made(groups(reader.tied))]
        found = [finding for each in done for finding in each.found]
        new = {path: part for each in done for path, part in each.parts.items()}
        parts = dict(sorted((parts | new).items()))
        if parts.keys() == sources.keys():
            tuned = _by_platform(part.known.tuned for part in parts.values())
            found += unread + unknown_kernels(tuned, tables, seen)
        if errors(found):
            return Compiled(found, seen)
        families = {path: family for each in done for path, family in each.families.items()}
        project = Project(
            config.package,
            config.namespace,
            tuple(families[path] for path in sorted(families)),
            config.kernels,
            config.runtime,
        )
        facts = [part.known for part in parts.values()]
        shared = [*shared_files(project, facts, targets), *outside_files(project, targets)]
        files, record = _together(parts, new, shared, known.files)
        awaited = _by_platform(each.awaited for each in facts)
        return Compiled(found, seen, files, awaited, None if found else record)


def _chunks(found: list[list[str]], count: int) -> list[list[list[str]]]:
    """Split groups of specs into `count` chunks of similar size, one chunk for each process."""
    size = sum(map(len, found))
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
    inputs: Inputs,
    targets: Sequence[str],
    tied: frozenset[str],
) -> Part:
    """Render the spec of a family, and return the result."""
    files = [file for file, _ in family.references] + [f.name for f in family.framework_files]
    read = [os.path.join(os.path.dirname(source.path), file) for file in files]
    read += [os.path.join(inputs.kernels, file) for file, _ in family.python_kernels]
    stamps, hashed = inputs.stamps(source, read), inputs.hash(source, read)
    return Part(hashed, stamps, tuple(read), tied, *render_family(project, family, targets))


def _laid_out(parts: Mapping[str, Part]) -> dict[str, Part]:
    """Return `parts` with formatted files, whose digests are computed."""
    formatted = laid_out(pair for part in parts.values() for pair in part.files)
    for _, file in formatted:
        file.digest  # noqa: B018  each process hashes its own files
    left = iter(formatted)
    return {
        path: replace(part, files=tuple(islice(left, len(part.files))))
        for path, part in parts.items()
    }


def _together(
    parts: dict[str, Part],
    new: Mapping[str, Part],
    shared: Iterable[tuple[str, File]],
    before: Mapping[str, File],
) -> tuple[list[File], Record]:
    """Return all files of the package, and its record.

    `new` are the parts that were just rendered, and `shared` the files for the whole project. A
    file of `before`, the last render, replaces a rendered file with the same text.
    """
    rendered = laid_out([*(pair for part in new.values() for pair in part.files), *shared])
    for number, (target, file) in enumerate(rendered):
        if (old := before.get(file.path)) is not None and old.digest == file.digest:
            rendered[number] = target, old
    kept = (pair for path, part in parts.items() if path not in new for pair in part.files)
    files, left = collect(rendered, kept), iter(rendered)
    for path, part in new.items():
        parts[path] = replace(part, files=tuple(islice(left, len(part.files))))
    whole = (("", file) for file in files if file.path in (IDENTITY, MANIFEST))
    return files, Record(parts, (*left, *whole))


def _by_platform(tables: Iterable[Mapping[str, Sequence[str]]]) -> dict[str, list[str]]:
    """Merge `tables`, each a mapping of platforms to names, into one mapping."""
    found: dict[str, list[str]] = {}
    for table in tables:
        for platform, names in table.items():
            found.setdefault(platform, []).extend(names)
    return found
