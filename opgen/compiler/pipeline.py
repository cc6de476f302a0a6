"""The pipeline from spec files to the intermediate representation (IR), with all diagnostics."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from opgen.compiler.discovery import family_of
from opgen.compiler.project_sources import kernel_file, kernel_sources
from opgen.lint.suppress import suppress
from opgen.source.diagnostics import Diagnostic, errors
from opgen.source.garbage import uncollected
from opgen.source.source_file import SourceFile
from opgen.spec.parse import parse_spec
from opgen.spec.spec import Spec

if TYPE_CHECKING:
    from opgen.ir.project import Project
    from opgen.spec.config import Config


def load(
    paths: Iterable[Path], config: Config, *, tables: bool = False
) -> tuple[Project | None, list[Diagnostic], dict[str, SourceFile]]:
    """Read and check the spec files. The returned project is None if there is an error.

    Return the project, every diagnostic, and the files that the diagnostics point into. With
    `tables`, the kernels of the project have the values that `opgen tune` chose. `paths` must then
    be all specs of the project.
    """
    from opgen.compiler.tuned_tables import keys_of, read_tables, unknown_kernels, with_tables

    specs, found, sources = examine_project(paths, config)
    if errors(found):
        return None, found, sources
    files, problems = read_tables(config.tables if tables else (), sources)
    project, misfits = with_tables(resolve(specs, sources, config), files, sources)
    problems += misfits + unknown_kernels(keys_of(project.ops), files, sources)
    return (None if problems else project), found + problems, sources


def examine_project(
    paths: Iterable[Path], config: Config | None
) -> tuple[dict[str, Spec], list[Diagnostic], dict[str, SourceFile]]:
    """Return the specs, all mistakes in the specs and in files that they name, and the sources.

    Specs and sources are keyed by path. The sources are all spec files, and the named files that
    have a mistake. Without `config`, report only the mistakes in the specs themselves.
    """
    return examine_sources({file.path: file for file in map(SourceFile.read, paths)}, config)


def examine_sources(
    sources: dict[str, SourceFile], config: Config | None
) -> tuple[dict[str, Spec], list[Diagnostic], dict[str, SourceFile]]:
    """Return the same as `examine_project`, for spec files that were already read."""
    with uncollected():
        specs, misread = parse_all(sources)
        return specs, findings(specs, misread, sources, config), sources


def examine(
    paths: Iterable[Path],
) -> tuple[dict[str, Spec], list[Diagnostic], dict[str, SourceFile]]:
    """Return the specs by path, the mistakes in the specs alone, and the spec files by path."""
    return examine_project(paths, None)


def findings(
    specs: Mapping[str, Spec],
    misread: Iterable[Diagnostic],
    sources: dict[str, SourceFile],
    config: Config | None,
    elsewhere: frozenset[str] = frozenset(),
) -> list[Diagnostic]:
    """Return all mistakes in specs; with `config`, also the mistakes in the files that they name.

    Files with a mistake are added to `sources`. `misread` are the mistakes that prevent opgen from
    reading specs. `elsewhere` are the names of ops in other specs.
    """
    from opgen.compiler.project_checks import check_files

    found = suppress([*misread, *check(specs, elsewhere)], sources)
    return found if config is None else found + check_files(specs, config, sources, elsewhere)


def parse_all(sources: Mapping[str, SourceFile]) -> tuple[dict[str, Spec], list[Diagnostic]]:
    """Return the specs by path, without those that could not be parsed, and the mistakes found."""
    specs, found = {}, []
    for path, source in sources.items():
        spec, diagnostics = parse_spec(source)
        found += diagnostics
        if spec is not None:
            specs[path] = spec
    return specs, found


def check(specs: Mapping[str, Spec], elsewhere: frozenset[str] = frozenset()) -> list[Diagnostic]:
    """Return the lint findings for parsed specs; `elsewhere` names the ops of other specs."""
    from opgen.lint import lint

    return lint(list(specs.values()), elsewhere)


def resolve(
    specs: Mapping[str, Spec], sources: Mapping[str, SourceFile], config: Config
) -> Project:
    """Convert specs without errors to the intermediate representation (IR)."""
    from opgen.compiler import framework_files
    from opgen.ir.project import Family, Project
    from opgen.ir.resolve import resolve_op
    from opgen.language.scope import scope_of

    scopes = {op.name: scope_of(op) for spec in specs.values() for op in spec.ops.values()}
    families = []
    for path, spec in sorted(specs.items()):
        name, (below, file) = family_of(path), os.path.split(path)
        kernels, folder = kernel_sources(config.kernels_dir, name), Path(below)
        read = partial(_text, folder)
        read_kernel = partial(_kernel_text, config.kernels_dir, folder)
        ops = tuple(
            resolve_op(
                scopes[op],
                scopes,
                family=name,
                spec=file,
                sources=kernels,
                read=read,
                read_kernel=read_kernel,
            )
            for op in spec.ops
        )
        references = {op.reference.partition(":")[0] for op in ops if op.reference}
        references |= {function.file for op in ops for function in op.computed.values()}
        written = {k.file for op in ops for k in op.kernels if k.file}
        families.append(
            Family(
                name=name,
                spec=file,
                spec_text=sources[path].text,
                ops=ops,
                references=tuple((file, read(file)) for file in sorted(references)),
                python_kernels=tuple((file, read_kernel(file)) for file in sorted(written)),
                framework_files=tuple(framework_files.copies(path, config.package)),
            )
        )
    return Project(
        config.package, config.namespace, tuple(families), config.kernels, config.runtime
    )


def _kernel_text(kernels: Path, beside: Path, file: str) -> str:
    return SourceFile.read(kernel_file(kernels, beside, file)).text


def _text(folder: Path, file: str) -> str:
    return SourceFile.named(folder, file).text
