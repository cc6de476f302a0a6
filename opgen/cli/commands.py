"""One function for each command; they print and return the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from opgen.compiler.discovery import shown, spec_files, specs_below
from opgen.compiler.project_sources import awaited_kernels, listed
from opgen.source.diagnostics import Diagnostic
from opgen.source.source_file import SourceFile
from opgen.source.terminal import visible, visible_lines
from opgen.source.version import __version__
from opgen.spec.config import Config, load_config

if TYPE_CHECKING:
    from opgen.output.render import File
    from opgen.output.write import Changes

BENCH_NEEDS = ("numpy", "ml_dtypes", "array_api_compat")


class Failure(Exception):
    """The command cannot do its work; the message says why. Exit code 2."""


def lint(
    paths: Sequence[Path], format: str, select: Sequence[str] | None, ignore: Sequence[str]
) -> int:
    """Check specs and the files that they name, and print the findings."""
    from opgen.compiler.pipeline import examine_project

    _refuse_unknown((*(select or ()), *ignore))
    config = read_config(paths, format)
    _, found, sources = examine_project(spec_files(paths, config), config)
    found = _selected(found, select, ignore)
    print_found(found, sources, format)
    return 1 if found else 0


def render(
    paths: Sequence[Path],
    format: str,
    out: Path | None,
    check: bool,
    diff: bool,
    force: bool,
    cache: bool,
    targets: Sequence[str] | None,
    warn: Callable[[str], None] | None = None,
) -> int:
    """Render the project's specs; write the files, or name and show what would change.

    `warn` gets a line for what the package lacks; default: `say`.
    """
    from opgen.output import ejected, write
    from opgen.output.cache import Cache, Known
    from opgen.spec.extensions import TargetError, builtin_targets, default_targets

    config = read_config(paths, format)
    specs = spec_files(paths, config)
    out = shown(config.out_dir) if out is None else out
    _refuse_some(paths, specs, config, out)
    refuse_newer(out)
    chosen = tuple(targets or config.targets or default_targets())
    sources = {file.path: file for file in map(SourceFile.read, specs)}
    # Targets of other packages may depend on anything.
    remember = cache and {*chosen} <= {*builtin_targets()}
    memory = Cache(config, chosen, out, hashed=check or diff) if remember else None
    known = Known() if memory is None else memory.read(sources)
    if known.said:
        if format == "json":
            print("[]")
        say(known.said[0])
        for line in known.said[1:]:
            (warn or say)(line)
        return 0

    from opgen.output.compile import compile  # imports all that an unchanged render needs not

    try:
        compiled = compile(sources, config, chosen, known)
        if compiled.found:
            print_found(compiled.found, compiled.sources, format)
        if compiled.files is None:
            return 1
        files, changed = ejected.without(compiled.files, ejected.read(out))
        lines = list(awaited_kernels(compiled.awaited, config))
        if changed:
            lines.append(f"ejected, and not what the specs say any more: {listed(changed)}")
        if check or diff:
            return _compare(files, out, diff, bool(targets), format)

        def keep(changes: write.Changes) -> None:
            own = force or not (changes.edited or changes.forgotten)
            if memory is not None and compiled.record is not None and own:
                said = (f"{len(files)} files in {out}: 0 written, 0 removed", *lines)
                memory.keep(replace(compiled.record, said=said))

        changes = write.write(
            files,
            out,
            force=force,
            partial=bool(targets),
            waiting=say_waiting,
            written=keep,
        )
    except write.Moved:
        # Another render got in between, or an editor.
        return render(paths, format, out, check, diff, force, False, targets, warn)
    except (TargetError, write.WriteError) as error:
        raise Failure(str(error)) from error
    kept = () if force else (*changes.edited, *changes.forgotten)
    removed = {*changes.orphaned, *changes.forgotten} - {*kept}
    written = {*changes.missing, *changes.stale, *changes.edited, *changes.converted} - {*kept}
    say(f"{len(files)} files in {out}: {len(written)} written, {len(removed)} removed")
    if removed:
        say(f"removed, for no spec renders them: {listed(sorted(removed))}")
    if changes.converted:
        say(_converted(changes, out))
    for line in lines:
        (warn or say)(line)
    if format == "json":
        _print_json([{"file": str(out / path), "change": "edited"} for path in kept])
    else:
        for path in kept:
            print(f"{out / path}: edited by hand and kept; --force replaces it")
    return 1 if kept else 0


def refuse_newer(out: Path) -> None:
    """Raise `Failure` where a newer opgen has rendered `out`."""
    from opgen.output.render import newer_than_this

    version = newer_than_this(out)
    if version is not None:
        raise Failure(
            f"{out} was rendered by opgen {version}, and this is opgen {__version__}: install "
            f"{version} or a newer one, or remove {out} to render it with this one"
        )


def refuse_stale(config: Config) -> None:
    """Raise `Failure` where the package is not what the specs say; what differs is printed."""
    if render([], "text", None, True, False, False, True, None):
        raise Failure(f"{shown(config.out_dir)} is not what the specs say: run `opgen render`")


def build(
    out: Path | None, only: Sequence[str], gpus: bool, jobs: int | None, verbose: bool
) -> int:
    """Build the libraries of the project's package, rendered first; or of one in `out`."""
    from opgen.build.cmake import BuildError, build

    config, missing = read_config([], "text"), list[str]()
    place = config.out_dir if out is None else out
    own = place.absolute() == config.out_dir.absolute()
    if own and config.specs_dir.is_dir() and specs_below(config.specs_dir, config.out_dir):
        if render([], "text", None, False, False, False, True, None, missing.append):
            raise Failure(f"nothing was built: {shown(place)} is not what the specs say")
    elif not place.is_dir():
        spec_files([], config)  # reports an empty folder
    try:
        build(config, place, only=only, gpus=gpus, jobs=jobs, verbose=verbose, say=say)
    except BuildError as error:
        raise Failure(str(error)) from error
    for line in missing:
        say(f"warning: {line}")
    return 0


def doctor(format: str) -> int:
    """Print what this machine has and how to fix the rest; 1 if something needed is missing."""
    from opgen.build.doctor import findings

    found = list(findings(read_config([], "text")))
    if format == "json":
        _print_json(
            [
                {"name": f.name, "verdict": f.verdict, "found": f.found, "fix": f.mends}
                for f in found
            ]
        )
    for each in found if format != "json" else ():
        said = "; ".join(filter(None, (each.found, each.mends)))
        print(f"{each.verdict:8} {each.name:18} {said}")
    return 1 if any(each.verdict == "missing" for each in found) else 0


def diff(paths: Sequence[Path], format: str, against: str) -> int:
    """Print what the specs break of those at `against`; 1 if anything is broken."""
    from opgen.compiler.pipeline import load
    from opgen.diff import Accepted, compare, diagnostics
    from opgen.diff.history import HistoryError, project_at
    from opgen.source.diagnostics import errors

    config = read_config(paths, format)
    project, found, sources = load(spec_files(paths, config), config)
    if project is None:
        print_found(found, sources, format)
        return 1
    try:
        before = project_at(against, config)
    except HistoryError as error:
        raise Failure(str(error)) from error
    accepted = [Accepted(**entry) for entry in config.accepted_break]
    own = SourceFile.read(shown(config.root / "pyproject.toml"))
    files = {op.name: path for path in sources for op in project.ops if Path(path).name == op.spec}
    breaks = diagnostics(compare(before, project), accepted, files, own.path)
    print_found(breaks, {**sources, own.path: own}, format)
    return 1 if errors(breaks) else 0


def bench(
    ops: Sequence[str],
    sizes: Sequence[tuple[int, int]],
    dtypes: Sequence[str],
    devices: Sequence[str],
    frameworks: Sequence[str],
    threads: int | None,
    json: Path | None,
    plot: Path | None,
    compare: Path | None,
) -> int:
    """Measure ops next to their peers; 1 if any is slower than in the run `compare`."""
    from importlib.util import find_spec

    missing = [name for name in BENCH_NEEDS if find_spec(name) is None]
    if missing:
        raise Failure(f"a benchmark needs {listed(missing)}: `pip install {' '.join(missing)}`")
    from opgen.bench.command import BenchError, Options, bench
    from opgen.compiler.pipeline import load

    config = read_config([], "text")
    specs = spec_files([], config)
    project, found, sources = load(specs, config)
    if project is None:
        print_found(found, sources, "text")
        return 1
    options = Options(ops, sizes, dtypes, devices, threads, frameworks, json, plot, compare)
    try:
        return bench(options, project, config, specs, say)
    except BenchError as error:
        raise Failure(str(error)) from error


def schema(of: str) -> int:
    """Print the JSON Schema of a spec, or of a verdict."""
    if of == "verdict":
        import json

        from opgen.judge.verdict import schema

        print(json.dumps(schema(), indent=2))
        return 0
    from opgen.docs.schema import json_schema

    sys.stdout.write(json_schema())
    return 0


def reference() -> int:
    """Print the reference of the spec language."""
    from opgen.docs.reference import reference

    sys.stdout.write(reference())
    return 0


def cmake_dir() -> int:
    """Print where `find_package(opgen)` finds opgen."""
    from opgen.build import runtime_files

    print(runtime_files.cmake_dir())
    return 0


def include_dir() -> int:
    """Print where `#include <opgen/...>` finds the headers."""
    from opgen.build import runtime_files

    print(runtime_files.include_dir())
    return 0


def _refuse_some(paths: Sequence[Path], specs: Sequence[Path], config: Config, out: Path) -> None:
    """Refuse to render some of the project's specs to where all of them belong.

    The files of the others would be removed, and those about all specs would be wrong.
    """
    whole = not paths or not config.specs_dir.is_dir()
    if whole or out.absolute() != config.out_dir.absolute():
        return
    given = {path.resolve() for path in specs}
    every = specs_below(shown(config.specs_dir), config.out_dir)
    missing = [os.fspath(path) for path in every if path.resolve() not in given]
    if missing:
        raise Failure(
            f"{out} is rendered from all specs of the project, and {listed(missing)} would "
            "be left out: run `opgen render` without paths (what has not changed is not "
            "rendered again), or name another folder with --out"
        )


def read_config(paths: Sequence[Path], format: str) -> Config:
    """The project of the first path, or of the working directory. Raises `Failure`."""
    config, found, source = load_config(paths[0] if paths else Path())
    if found and source is not None:
        print_found(found, {source.path: source}, format)
        raise Failure("the project's configuration is wrong")
    return config


def _refuse_unknown(rules: Sequence[str]) -> None:
    """Refuse what is neither a rule's id or name nor how some ids begin."""
    if not rules:
        return
    from opgen.docs import rule_index
    from opgen.source.diagnostics import did_you_mean

    entries = list(rule_index.entries())
    names = [entry.name for entry in entries]
    for rule in rules:
        known = rule in names or any(entry.id.startswith(rule) for entry in entries)
        if not known:
            help_ = (
                did_you_mean(rule, names)
                if not rule.startswith("OG")
                else "`opgen explain` lists them"
            )
            raise Failure(f"there is no rule `{rule}`: {help_}")


def _selected(
    found: list[Diagnostic], select: Sequence[str] | None, ignore: Sequence[str]
) -> list[Diagnostic]:
    """Keep the findings of `--select` and `--ignore`, and always those of unreadable files."""

    def among(diagnostic: Diagnostic, rules: Sequence[str]) -> bool:
        return any(diagnostic.rule.startswith(r) or diagnostic.name == r for r in rules)

    return [
        d
        for d in found
        if d.rule in ("OG001", "OG002")
        or ((select is None or among(d, select)) and not among(d, ignore))
    ]


def print_found(
    found: Sequence[Diagnostic], sources: Mapping[str, SourceFile], format: str
) -> None:
    from opgen.source.report import report

    color = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    sys.stdout.write(report(found, sources, format, color=color))


def _compare(files: Sequence[File], out: Path, diff: bool, partial: bool, format: str) -> int:
    from opgen.output import write

    changes = write.check(files, out, partial=partial)
    if format == "json":
        listed_ = vars(changes).items()
        _print_json([{"file": str(out / p), "change": kind} for kind, ps in listed_ for p in ps])
    else:
        print_changes(changes, out)
    if changes:
        say("the package is not what the specs say: run `opgen render`")
    if diff:
        from opgen.output.render_diff import differences

        sys.stdout.writelines(differences(files, changes, out))
    return 1 if changes else 0


def print_changes(changes: Changes, out: Path) -> None:
    for kind, paths in vars(changes).items():
        for path in paths if kind != "converted" else ():
            print(f"{kind}: {visible(str(out / path))}")
    if changes.converted:
        print(f"converted: {visible_lines(_converted(changes, out))}")


def _converted(changes: Changes, out: Path) -> str:
    """The reason for which lines end in CRLF, and what keeps them as they are."""
    paths = [os.fspath(out / path) for path in changes.converted]
    attributes = f"{out.as_posix()}/** -text"
    return (
        f"the lines of {listed(paths)} end in CRLF, as git writes them with `core.autocrlf`: "
        f"a line `{attributes}` in .gitattributes keeps them as they are rendered"
    )


def _print_json(objects: Sequence[Mapping[str, object]]) -> None:
    import json

    print(json.dumps(objects, indent=2, ensure_ascii=False))


def say(text: str) -> None:
    print(f"opgen: {visible_lines(text)}", file=sys.stderr, flush=True)


def say_waiting() -> None:
    say("another render holds the folder; waiting for it")
