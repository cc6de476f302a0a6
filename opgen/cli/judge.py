"""`opgen judge` and `opgen adopt`: test a candidate kernel, and add it to an op."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from opgen.cli.console import (
    BENCH_NEEDS,
    Mistakes,
    op_of,
    read_config,
    read_project,
    require_packages,
    say,
)
from opgen.cli.render import render
from opgen.compiler.discovery import shown
from opgen.source.failure import Failure

if TYPE_CHECKING:
    from opgen.ir.project import Project
    from opgen.spec.config import Config

NEEDS = (*BENCH_NEEDS, "pytest")


def judge(op: str, candidate: str, level: str, format: str) -> int:
    """Test a candidate kernel, and print the verdict. Return 1 if the kernel fails a test level."""
    from opgen.judge.levels import judge, judge_solution
    from opgen.judge.verdict import table

    project, config = _project(op)
    folders = config.out_dir.parents[config.package.count(".")], config.kernels_dir
    if candidate.endswith(".json"):
        verdict, trace = judge_solution(
            project, op, Path(candidate), *folders, config.specs_dir, level
        )
    elif format == "trace":
        raise Failure("a Trace is of a Solution: pass `SOLUTION.json`")
    else:
        verdict = judge(project, op, candidate, *folders, level)
    if format == "trace":
        print(trace())
    else:
        print(verdict.model_dump_json(indent=2) if format == "json" else table(verdict))
    return 1 if verdict.failed else 0


def adopt(op: str, candidate: str, name: str | None, require: Sequence[str]) -> int:
    """Test a candidate kernel, and add it to the op's list of kernels if it passes.

    Return 0 if the kernel was added, else 1.
    """
    from opgen.judge.adopt import adopt
    from opgen.judge.candidate import Candidate
    from opgen.judge.verdict import table
    from opgen.source.atomic import put_all

    project, config = _project(op)
    given = Candidate.of(candidate)
    own = name or given.path.stem
    verdict, files = adopt(project, config, project.op(op), given, own, require)
    print(table(verdict))
    if not files:
        return 1
    put_all(files)
    for path in files:
        say(f"{shown(path)}: written")
    say("next: `opgen build`, and the package's tests")
    return 0


def _project(name: str) -> tuple[Project, Config]:
    """Load and render the project, which must have the op. Raises `Failure` or `Mistakes`."""
    require_packages(NEEDS, "a judge")
    config = read_config([], "text")
    project = read_project([], config)
    op_of(project, name)
    if render():
        raise Mistakes
    return project, config
