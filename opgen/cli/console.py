"""The output of commands, their failures, and the configuration that they read."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from opgen.source.diagnostics import Diagnostic
from opgen.source.source_file import SourceFile
from opgen.source.terminal import visible_lines
from opgen.spec.config import Config, load_config

# Packages that benchmarks import.
BENCH_NEEDS = ("numpy", "ml_dtypes", "array_api_compat")


class Failure(Exception):
    """The command failed for the reason in the message. The exit code is 2."""


def read_config(paths: Sequence[Path], format: str) -> Config:
    """Return the project of the first path, or of the working directory. Raises `Failure`."""
    config, found, source = load_config(paths[0] if paths else Path())
    if found and source is not None:
        print_found(found, {source.path: source}, format)
        raise Failure("the project's configuration is wrong")
    return config


def print_found(
    found: Sequence[Diagnostic], sources: Mapping[str, SourceFile], format: str
) -> None:
    from opgen.source.report import report

    color = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    sys.stdout.write(report(found, sources, format, color=color))


def print_json(objects: Sequence[Mapping[str, object]]) -> None:
    """Print objects as JSON, indented."""
    import json

    print(json.dumps(objects, indent=2, ensure_ascii=False))


def say(text: str) -> None:
    print(f"opgen: {visible_lines(text)}", file=sys.stderr, flush=True)


def say_waiting() -> None:
    say("another render holds the folder; waiting for it")
