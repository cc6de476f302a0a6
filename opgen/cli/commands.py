"""The functions of several commands. Each prints the command's output and returns the exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from opgen.cli.console import (
    BENCH_NEEDS,
    op_of,
    print_found,
    print_json,
    read_config,
    read_project,
    require_packages,
    say,
)
from opgen.cli.render import render
from opgen.compiler.discovery import shown, spec_files, spec_sources, specs_below
from opgen.source.diagnostics import Diagnostic
from opgen.source.failure import Failure
from opgen.source.garbage import uncollected
from opgen.source.source_file import SourceFile


@uncollected()
def lint(
    paths: Sequence[Path], format: str, select: Sequence[str] | None, ignore: Sequence[str]
) -> int:
    """Check specs and the files that they name, and print the findings."""
    from opgen.compiler.pipeline import examine_sources

    _refuse_unknown((*(select or ()), *ignore))
    config = read_config(paths, format)
    _, found, sources = examine_sources(spec_sources(paths, config), config)
    found = _selected(found, select, ignore)
    print_found(found, sources, format)
    return 1 if found else 0


def build(
    out: Path | None, only: Sequence[str], gpus: bool, jobs: int | None, verbose: bool
) -> int:
    """Render and build the project's package, or build a package that is rendered in `out`."""
    from opgen.build.cmake import build

    config, missing = read_config([], "text"), list[str]()
    place = config.out_dir if out is None else out
    own = place.absolute() == config.out_dir.absolute()
    if own and config.specs_dir.is_dir() and specs_below(config.specs_dir, config.out_dir):
        if render(warn=missing.append):
            raise Failure(f"nothing was built: {shown(place)} is not what the specs say")
    elif not place.is_dir():
        spec_files([], config)  # reports a folder without specs
    build(config, place, only=only, gpus=gpus, jobs=jobs, verbose=verbose, say=say)
    for line in missing:
        say(f"warning: {line}")
    return 0


def doctor(format: str) -> int:
    """Print the state of this machine, with fixes. Return 1 if a requirement is missing, else 0."""
    from opgen.build.doctor import findings

    found = list(findings(read_config([], "text")))
    if format == "json":
        print_json(
            [{"name": f.name, "verdict": f.verdict, "found": f.found, "fix": f.fix} for f in found]
        )
    for each in found if format != "json" else ():
        said = "; ".join(filter(None, (each.found, each.fix)))
        print(f"{each.verdict:8} {each.name:18} {said}")
    return 1 if any(each.verdict == "missing" for each in found) else 0


def diff(paths: Sequence[Path], format: str, against: str) -> int:
    """Compare the specs with the older specs at `against`, and print the calls that would break.

    Return 1 if there are any such calls, else 0.
    """
    from opgen.compiler.pipeline import load
    from opgen.diff import Accepted, compare, diagnostics
    from opgen.diff.history import project_at
    from opgen.source.diagnostics import errors

    config = read_config(paths, format)
    project, found, sources = load(spec_files(paths, config), config)
    if project is None:
        print_found(found, sources, format)
        return 1
    before = project_at(against, config)
    accepted = [Accepted(**entry) for entry in config.accepted_break]
    own = SourceFile.read(shown(config.root / "pyproject.toml"))
    files = {op.name: path for path in sources for op in project.ops if Path(path).name == op.spec}
    breaks = diagnostics(compare(before, project), accepted, files, own.path)
    print_found(breaks, {**sources, own.path: own}, format)
    return 1 if errors(breaks) else 0


def bench(**options: Any) -> int:
    """Measure ops and their peers, which are other implementations of the same operations.

    Return 1 if an op is slower than in the earlier run `compare`, else 0.
    """
    require_packages(BENCH_NEEDS, "a benchmark")
    from opgen.bench.command import Options, bench

    return _measured(bench, Options(**options))


def tune(**options: Any) -> int:
    """Measure the tuning parameters of kernels on a device, and write the device's tuning table."""
    require_packages(BENCH_NEEDS, "tuning")
    from opgen.bench.tune_command import Options, tune

    return _measured(tune, Options(**options))


def _measured(run: Callable[..., int], options: object) -> int:
    config = read_config([], "text")
    return run(options, read_project([], config), config, spec_files([], config), say)


def export(form: str, op: str, to: Path | None) -> int:
    """Write an op in a benchmark's format, and report the parts that the format cannot express."""
    from importlib import import_module

    from opgen.exchange.problem import problems
    from opgen.source.atomic import put_all

    config = read_config([], "text")
    project = read_project([], config)
    writer = import_module(f"opgen.exchange.{form}")
    made = problems(op_of(project, op), config.specs_dir, tuple(writer.DTYPES_THERE))
    folder = to or Path(form)
    texts = {folder / path: text for path, text in writer.files(made.problems).items()}
    for path in texts:
        path.parent.mkdir(parents=True, exist_ok=True)
    put_all(texts)
    say(f"{shown(folder)}: {len(made.problems)} problems of {op}")
    for each in made.lost:
        say(f"lost: {each}")
    return 0


def schema(of: str) -> int:
    """Print the JSON Schema of a spec or of a judge's verdict."""
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
    """Print the folder from which CMake's `find_package(opgen)` can load opgen."""
    from opgen.build import runtime_files

    print(runtime_files.cmake_dir())
    return 0


def include_dir() -> int:
    """Print the include folder that a C++ compiler needs for `#include <opgen/...>`."""
    from opgen.build import runtime_files

    print(runtime_files.include_dir())
    return 0


def _refuse_unknown(rules: Sequence[str]) -> None:
    """Raise `Failure` if an argument is neither a rule's name nor the beginning of a rule's id."""
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
    """Return the findings that remain after `--select` and `--ignore`.

    Findings about files that cannot be read always remain.
    """

    def among(diagnostic: Diagnostic, rules: Sequence[str]) -> bool:
        return any(diagnostic.rule.startswith(r) or diagnostic.name == r for r in rules)

    return [
        d
        for d in found
        if d.rule in ("OG001", "OG002")
        or ((select is None or among(d, select)) and not among(d, ignore))
    ]
