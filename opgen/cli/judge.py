"""`opgen judge` and `opgen adopt`."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from opgen.cli.console import BENCH_NEEDS, Failure, print_found, read_config, say
from opgen.cli.render import render
from opgen.compiler.discovery import shown, spec_files
from opgen.compiler.project_sources import listed
from opgen.source.diagnostics import did_you_mean

if TYPE_CHECKING:
    from opgen.ir.project import Project
    from opgen.spec.config import Config

NEEDS = (*BENCH_NEEDS, "pytest")


def judge(op: str, candidate: str, level: str, format: str) -> int:
    """Judge a candidate kernel and print the verdict; return 1 if some level failed."""
    from opgen.judge.candidate import Refused
    from opgen.judge.levels import judge
    from opgen.judge.verdict import table

    loaded = _project(op)
    if loaded is None:
        return 1
    project, config = loaded
    path = config.out_dir.parents[config.package.count(".")]
    try:
        verdict = judge(project, op, candidate, path, config.kernels_dir, level)
    except Refused as error:
        raise Failure(str(error)) from error
    print(verdict.model_dump_json(indent=2) if format == "json" else table(verdict))
    return 1 if verdict.failed else 0


def adopt(op: str, candidate: str, name: str | None, require: Sequence[str]) -> int:
    """Judge a kernel, and write it into the op's list if it is accepted; otherwise return 1."""
    from opgen.judge.adopt import adopt
    from opgen.judge.candidate import Candidate, NotBuilt, Refused
    from opgen.judge.verdict import table
    from opgen.source.atomic import put_all

    loaded = _project(op)
    if loaded is None:
        return 1
    project, config = loaded
    try:
        given = Candidate.of(candidate)
        own = name or given.path.stem
        verdict, files = adopt(project, config, project.op(op), given, own, require)
    except (Refused, NotBuilt) as error:
        raise Failure(str(error)) from error
    print(table(verdict))
    if not files:
        return 1
    put_all(files)
    for path in files:
        say(f"{shown(path)}: written")
    say("next: `opgen build`, and the package's tests")
    return 0


def _project(op: str) -> tuple[Project, Config] | None:
    """Render and load the project. If its specs have mistakes, print them and return None."""
    from opgen.compiler.pipeline import load

    missing = [name for name in NEEDS if find_spec(name) is None]
    if missing:
        raise Failure(f"a judge needs {listed(missing)}: `pip install {' '.join(missing)}`")
    config = read_config([], "text")
    project, found, sources = load(spec_files([], config), config)
    if project is None:
        print_found(found, sources, "text")
        return None
    names = [each.name for each in project.ops]
    if op not in names:
        raise Failure(f"there is no op `{op}`: {did_you_mean(op, names)}")
    if render([], "text", None, False, False, False, True, None):
        return None
    return project, config
