"""`opgen judge` and `opgen adopt`."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from opgen.cli.commands import BENCH_NEEDS, Failure, print_found, read_config, render
from opgen.compiler.discovery import spec_files
from opgen.compiler.project_sources import listed
from opgen.source.diagnostics import did_you_mean

if TYPE_CHECKING:
    from opgen.ir.project import Project
    from opgen.spec.config import Config

NEEDS = (*BENCH_NEEDS, "pytest")


def judge(op: str, candidate: str, level: str, format: str) -> int:
    """Judge a candidate kernel and print the verdict; 1 if some level failed."""
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


def _project(op: str) -> tuple[Project, Config] | None:
    """Render the project and load it; None where its specs have mistakes, which are printed."""
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
