"""Functions that the commands share: print output, report failures, and read the project."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from opgen.compiler.discovery import spec_files
from opgen.compiler.project_sources import listed
from opgen.source.diagnostics import Diagnostic, did_you_mean
from opgen.source.failure import Failure
from opgen.source.source_file import SourceFile
from opgen.source.terminal import visible_lines
from opgen.spec.config import Config, load_config

if TYPE_CHECKING:
    from opgen.ir.op import Op
    from opgen.ir.project import Project

# The packages that benchmarks import in addition to opgen's own requirements.
BENCH_NEEDS = ("numpy", "ml_dtypes", "array_api_compat")


class Mistakes(Exception):
    """Error for specs with mistakes, which have already been printed. The exit code is 1."""


def read_config(paths: Sequence[Path], format: str) -> Config:
    """Return the configuration of the project that contains the first of `paths`.

    Without paths, use the working directory. If the configuration has mistakes, print them and
    raise `Failure`.
    """
    config, found, source = load_config(paths[0] if paths else Path())
    if found and source is not None:
        print_found(found, {source.path: source}, format)
        raise Failure("the project's configuration is wrong")
    return config


def read_project(
    paths: Sequence[Path], config: Config, format: str = "text", *, tables: bool = False
) -> Project:
    """Load the project from its specs. If they have mistakes, print these and raise `Mistakes`."""
    from opgen.compiler.pipeline import load

    project, found, sources = load(spec_files(paths, config), config, tables=tables)
    if project is None:
        print_found(found, sources, format)
        raise Mistakes
    return project


def op_of(project: Project, name: str, kinds: str = "op") -> Op:
    """Return the op `name`, or raise `Failure`. The message uses the word `kinds` for an op."""
    names = [op.name for op in project.ops]
    if name not in names:
        raise Failure(f"there is no {kinds} `{name}`: {did_you_mean(name, names)}")
    return project.op(name)


def require_packages(packages: Sequence[str], what: str) -> None:
    """Raise `Failure` if `what`, such as a command, needs packages that are not installed."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if missing:
        raise Failure(f"{what} needs {listed(missing)}: `pip install {' '.join(missing)}`")


def print_found(
    found: Sequence[Diagnostic], sources: Mapping[str, SourceFile], format: str
) -> None:
    from opgen.source.report import report

    color = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    sys.stdout.write(report(found, sources, format, color=color))


def print_json(objects: Sequence[Mapping[str, object]]) -> None:
    """Print objects as indented JSON."""
    import json

    print(json.dumps(objects, indent=2, ensure_ascii=False))


def say(text: str) -> None:
    print(f"opgen: {visible_lines(text)}", file=sys.stderr, flush=True)


def say_waiting() -> None:
    say("another render holds the folder; waiting for it")
