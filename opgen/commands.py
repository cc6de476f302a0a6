"""One function for each command; they print and return the exit code."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from opgen.config import Config, load_config
from opgen.diagnostics import Diagnostic
from opgen.source import SourceFile

if TYPE_CHECKING:
    from opgen.cache import Part, Record
    from opgen.increment import Rendering
    from opgen.ir import Op
    from opgen.render import File

# A file that has a spec's version, or an op or a template and so lacks its version.
_SPEC = re.compile(r"^[ \t]*(spec[ \t]*=|\[?[ \t]*(ops|templates)[ \t]*[.\]=])", re.M)
NAMES_SHOWN = 5
BENCH_NEEDS = ("numpy", "ml_dtypes", "array_api_compat")


class Failure(Exception):
    """The command cannot do its work; the message says why. Exit code 2."""


def lint(
    paths: Sequence[Path],
    format: str,
    select: Sequence[str] | None,
    ignore: Sequence[str],
) -> int:
    """Check specs and print what was found."""
    from opgen.pipeline import examine

    _refuse_unknown((*(select or ()), *ignore))
    _, found, sources = examine(spec_files(paths, _config(paths, format)))
    found = _selected(found, select, ignore)
    _print(found, sources, format)
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
) -> int:
    """Render the project's specs; write the files, or name and show what would change."""
    from opgen import write
    from opgen.cache import Cache, Record
    from opgen.render import TargetError, builtin_targets, outside_targets

    config = _config(paths, format)
    specs = spec_files(paths, config)
    out = _shown(config.out_dir) if out is None else out
    _refuse_some(paths, specs, config, out)
    chosen = tuple(targets or config.targets)
    chosen = chosen or (*builtin_targets(), *outside_targets())
    sources = {file.path: file for file in map(SourceFile.read, specs)}
    # Targets of other packages may depend on anything.
    remember = cache and {*chosen} <= {*builtin_targets()}
    memory = Cache(config, chosen, out) if remember else None
    known = Record() if memory is None else memory.read()
    sound = {} if memory is None else memory.sound(known, sources)
    if memory is not None and memory.unchanged(known, sound, sources):
        for line in known.said:
            _say(line)
        return 0

    def keep(changes: write.Changes) -> None:
        own = force or not (changes.edited or changes.forgotten)
        if memory is not None and rendering.record is not None and own:
            said = (f"{len(rendering.files)} files in {out}: 0 written, 0 removed", *lines)  # fmt: skip
            memory.keep(replace(rendering.record, said=said))

    try:
        rendering = _rendering(sources, config, chosen, known, sound, format)
        if rendering is None:
            return 1
        lines = list(still_awaited(rendering.awaited, config))
        if check or diff:
            return _compare(rendering.files, out, diff, bool(targets))
        changes = write.write(rendering.files, out, force=force, partial=bool(targets), waiting=_say_waiting, written=keep)  # fmt: skip
    except write.Moved:
        # Another render got in between, or an editor.
        return render(paths, format, out, check, diff, force, False, targets)
    except (TargetError, write.WriteError) as error:
        raise Failure(str(error)) from error
    kept = () if force else (*changes.edited, *changes.forgotten)
    removed = {*changes.orphaned, *changes.forgotten} - {*kept}
    written = {*changes.missing, *changes.stale, *changes.edited} - {*kept}
    _say(f"{len(rendering.files)} files in {out}: {len(written)} written, {len(removed)} removed")  # fmt: skip
    if removed:
        _say(f"removed, for no spec renders them: {_some(sorted(removed))}")
    for line in lines:
        _say(line)
    for path in kept:
        print(f"{out / path}: edited by hand and kept; --force replaces it")
    return 1 if kept else 0


def _rendering(
    sources: Mapping[str, SourceFile],
    config: Config,
    targets: Sequence[str],
    known: Record,
    sound: Mapping[str, Part],
    format: str,
) -> Rendering | None:
    """What is rendered; prints what is wrong with the specs, and is None where it is an error."""
    from opgen.increment import render_changed, render_whole
    from opgen.pipeline import load
    from opgen.render import builtin_targets

    if {*targets} <= {*builtin_targets()}:
        found = render_changed(sources, config, targets, known, sound)
        if found is not None:
            return found
    project, diagnostics, files = load(list(map(Path, sources)), config)
    if diagnostics:
        _print(diagnostics, files, format)
    return None if project is None else render_whole(project, targets)


def still_awaited(
    awaited: Mapping[str, Sequence[str]], config: Config
) -> Iterator[str]:
    """What to say of ops whose kernels are yet to be written."""
    for platform, names in awaited.items():
        yield f"no {platform} source yet in {config.kernels}/ for {_some(names)}"


def _some(names: Sequence[str]) -> str:
    more = len(names) - NAMES_SHOWN
    return ", ".join(names[:NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")


def scaffold(paths: Sequence[Path], format: str) -> int:
    """Write what kernels of the specs' ops begin with, where no source is yet."""
    from opgen.pipeline import load
    from opgen.targets.cpp.skeleton import SUFFIXES, skeleton

    config = _config(paths, format)
    project, found, sources = load(spec_files(paths, config), config)
    if project is None:
        _print(found, sources, format)
        return 1
    for family in project.families:
        awaited = {k.platform for op in family.ops for k in op.awaited}
        for platform in sorted(awaited & SUFFIXES.keys()):
            file = (
                config.kernels_dir / family.name / f"{family.name}{SUFFIXES[platform]}"
            )
            file.parent.mkdir(parents=True, exist_ok=True)
            # Awaited means that no such file is there: none is ever written over.
            with file.open("x") as begun:
                begun.write(skeleton(config.namespace, family, platform))
            _say(f"{_shown(file)}: begun")
    return 0


def build(out: Path | None, jobs: int | None, verbose: bool) -> int:
    """Build the libraries of a rendered package."""
    from opgen.build import BuildError, build

    config = _config([], "text")
    try:
        build(config, config.out_dir if out is None else out, jobs=jobs, verbose=verbose, say=_say)  # fmt: skip
    except BuildError as error:
        raise Failure(str(error)) from error
    return 0


def diff(paths: Sequence[Path], format: str, against: str) -> int:
    """Print what the specs break of those at `against`; 1 if anything is broken."""
    from opgen.diagnostics import errors
    from opgen.diff import Accepted, compare, diagnostics
    from opgen.diff.history import HistoryError, project_at
    from opgen.pipeline import load

    config = _config(paths, format)
    project, found, sources = load(spec_files(paths, config), config)
    if project is None:
        _print(found, sources, format)
        return 1
    try:
        before = project_at(against, config)
    except HistoryError as error:
        raise Failure(str(error)) from error
    accepted = [Accepted(**entry) for entry in config.accepted_break]
    own = SourceFile.read(_shown(config.root / "pyproject.toml"))
    files = {
        op.name: path
        for path in sources
        for op in project.ops
        if Path(path).name == op.spec
    }
    breaks = diagnostics(compare(before, project), accepted, files, own.path)
    _print(breaks, {**sources, own.path: own}, format)
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
    """Measure ops beside their peers; 1 if any is slower than in the run `compare`."""
    from importlib.util import find_spec

    missing = [name for name in BENCH_NEEDS if find_spec(name) is None]
    if missing:
        raise Failure(f"a benchmark needs {_some(missing)}: `pip install 'opgen[bench]'` brings what is missing")  # fmt: skip
    from opgen.bench.command import BenchError, Options, bench
    from opgen.pipeline import load

    config = _config([], "text")
    specs = spec_files([], config)
    project, found, sources = load(specs, config)
    if project is None:
        _print(found, sources, "text")
        return 1
    options = Options(ops, sizes, dtypes, devices, threads, frameworks, json, plot, compare)  # fmt: skip
    try:
        return bench(options, project, config, specs, _say)
    except BenchError as error:
        raise Failure(str(error)) from error


def explain(
    name: str | None,
    mesh: tuple[tuple[str, int], ...] | None = None,
    splits: Sequence[tuple[str, tuple[tuple[str, ...], ...]]] = (),
    sizes: tuple[tuple[str, object], ...] = (),
) -> int:
    """Print the documentation of a rule or of a key, or what was resolved about an op.

    Where a key has an op's name, the op is `ops.NAME`. With a mesh, print how the op is
    split over it.
    """
    from opgen import rulebook

    if mesh is not None:
        if name is None:
            raise Failure("of which op? `opgen explain OP --mesh d=4`")
        return _explain_sharding(name.removeprefix("ops."), dict(mesh), dict(splits), dict(sizes))  # fmt: skip
    if splits or sizes:
        raise Failure("`--split` and `--sizes` go with `--mesh`")
    if name is None:
        for entry in rulebook.entries():
            print(f"{entry.id}  {entry.name:27} {entry.doc.partition(chr(10))[0]}")
        return 0
    entry = rulebook.find(name)
    if entry is not None:
        print(f"{entry.id} {entry.name}\n\n{entry.doc.strip()}")
        return 0
    from opgen import reference

    keys = reference.find(name)
    if keys:
        print("\n".join(map(reference.text_of, keys)), end="")
        return 0
    return _explain_op(name.removeprefix("ops."))


def _explain_op(name: str) -> int:
    from opgen.explain import explain_op

    op = _op(name, _config([], "text"))
    if op is not None:
        sys.stdout.write(explain_op(op))
    return 0 if op else 1


def _explain_sharding(name: str, mesh: dict, splits: dict, sizes: dict) -> int:
    from opgen.explain_sharding import ExplainError, explain_sharding

    config = _config([], "text")
    op = _op(name, config)
    if op is None:
        return 1
    try:
        sys.stdout.write(explain_sharding(config, op, mesh, splits, sizes))
    except ExplainError as error:
        raise Failure(str(error)) from error
    return 0


def _op(name: str, config: Config) -> Op | None:
    """An op of the project; None where its specs are wrong, which is printed."""
    from opgen.diagnostics import did_you_mean
    from opgen.pipeline import load

    project, found, sources = load(spec_files([], config), config)
    if project is None:
        _print(found, sources, "text")
        return None
    names = [op.name for op in project.ops]
    if name not in names:
        raise Failure(f"there is no rule, key or op `{name}`: {did_you_mean(name, names)}")  # fmt: skip
    return project.op(name)


def schema() -> int:
    """Print the JSON Schema of a spec."""
    from opgen.schema import json_schema

    sys.stdout.write(json_schema())
    return 0


def reference() -> int:
    """Print the reference of the spec language."""
    from opgen.reference import reference

    sys.stdout.write(reference())
    return 0


def cmake_dir() -> int:
    """Print where `find_package(opgen)` finds opgen."""
    from opgen import runtime

    print(runtime.cmake_dir())
    return 0


def include_dir() -> int:
    """Print where `#include <opgen/...>` finds the headers."""
    from opgen import runtime

    print(runtime.include_dir())
    return 0


def spec_files(paths: Sequence[Path], config: Config) -> list[Path]:
    """The spec files that `paths` name; without paths, the project's.

    A folder means every .toml file below it that has a `spec` key, an op or a template, or
    that cannot be read, except in hidden folders. The rendered package holds copies, which
    are left out beside others. Raises `Failure`.
    """
    found: dict[Path, None] = {}
    copies = []
    for path in paths or [_shown(config.specs_dir)]:
        if path.is_dir():
            found.update(dict.fromkeys(_specs_below(path, config.out_dir)))
        elif path.absolute().is_relative_to(config.out_dir):
            copies.append(path)
        elif path.exists():
            found[path] = None
        else:
            raise Failure(f"there is no file or folder {path}")
    if copies and not found:
        return copies
    if not found:
        raise Failure(f"there is no spec in {', '.join(map(str, paths)) or config.specs_dir}")  # fmt: skip
    return list(found)


def _refuse_some(paths: Sequence[Path], specs: Sequence[Path], config: Config, out: Path) -> None:  # fmt: skip
    """Refuse to render some of the project's specs to where all of them belong.

    The files of the others would be removed, and those about all specs would be wrong.
    """
    whole = not paths or not config.specs_dir.is_dir()
    if whole or out.absolute() != config.out_dir.absolute():
        return
    given = {path.resolve() for path in specs}
    every = _specs_below(_shown(config.specs_dir), config.out_dir)
    missing = [os.fspath(path) for path in every if path.resolve() not in given]
    if missing:
        raise Failure(
            f"{out} is rendered from all specs of the project, and {_some(missing)} would "
            "be left out: run `opgen render` without paths (what has not changed is not "
            "rendered again), or name another folder with --out"
        )


def _specs_below(folder: Path, out: Path) -> Iterable[Path]:
    for name, folders, files in os.walk(folder, onerror=_unreadable):
        here = Path(name)
        folders[:] = sorted(
            f for f in folders if f[0] != "." and (here / f).absolute() != out
        )
        for file in sorted(files):
            path = here / file
            if path.suffix != ".toml":
                continue
            source = SourceFile.read(path)
            if source.problem is not None or _SPEC.search(source.text):
                yield path


def _unreadable(error: OSError) -> None:
    raise Failure(f"the folder {error.filename} cannot be read: {error.strerror}")


def _config(paths: Sequence[Path], format: str) -> Config:
    """The project of the first path, or of the working directory. Raises `Failure`."""
    config, found, source = load_config(paths[0] if paths else Path())
    if found and source is not None:
        _print(found, {source.path: source}, format)
        raise Failure("the project's configuration is wrong")
    return config


def _shown(path: Path) -> Path:
    """`path` as seen from the working directory, if it lies below that."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _refuse_unknown(rules: Sequence[str]) -> None:
    """Refuse what is neither a rule's id or name nor how some ids begin."""
    if not rules:
        return
    from opgen import rulebook
    from opgen.diagnostics import did_you_mean

    entries = list(rulebook.entries())
    names = [entry.name for entry in entries]
    for rule in rules:
        known = rule in names or any(entry.id.startswith(rule) for entry in entries)
        if not known:
            help_ = did_you_mean(rule, names) if not rule.startswith("OG") else "`opgen explain` lists them"  # fmt: skip
            raise Failure(f"there is no rule `{rule}`: {help_}")


def _selected(
    found: list[Diagnostic], select: Sequence[str] | None, ignore: Sequence[str]
) -> list[Diagnostic]:
    """What `--select` and `--ignore` leave; a file that cannot be read is always told."""

    def among(diagnostic: Diagnostic, rules: Sequence[str]) -> bool:
        return any(diagnostic.rule.startswith(r) or diagnostic.name == r for r in rules)

    return [
        d
        for d in found
        if d.rule in ("OG001", "OG002")
        or ((select is None or among(d, select)) and not among(d, ignore))
    ]


def _print(
    found: Sequence[Diagnostic], sources: Mapping[str, SourceFile], format: str
) -> None:
    from opgen.report import report

    color = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    sys.stdout.write(report(found, sources, format, color=color))


def _compare(files: Sequence[File], out: Path, diff: bool, partial: bool) -> int:
    from opgen import write

    changes = write.check(files, out, partial=partial)
    for kind, paths in vars(changes).items():
        for path in paths:
            print(f"{kind}: {out / path}")
    if diff:
        from opgen.difference import differences

        sys.stdout.writelines(differences(files, changes, out))
    return 1 if changes else 0


def _say(text: str) -> None:
    print(f"opgen: {text}", file=sys.stderr)


def _say_waiting() -> None:
    _say("another render holds the folder; waiting for it")
