"""Measure how long it takes to import ops after their framework.

Imports the package of this repository, and a package of 500 ops. The first run builds the package
of 500 ops in `build/bench/`, which takes a minute.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.pairs import write_family
from opgen.bench.harness import Claim, Group

ROOT = Path(__file__).parents[1]
PROGRAM = """
import {framework}
from time import perf_counter
start = perf_counter()
import {package}.{framework}
print(perf_counter() - start)
"""


def groups() -> Iterator[Group]:
    # Let Python cache bytecode, as for an installed package.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    yield Group(
        "import of the generated package after its framework's, a fresh process each",
        {f"generated.{name}": _importer("generated", name) for name in ("torch", "jax")},
        [
            Claim("generated.torch", quantity="seconds", at_most=0.050),
            Claim("generated.jax", quantity="seconds"),
        ],
        rounds=9,
        self_timed=True,
    )
    project = ROOT / "build" / "bench" / "pairs"
    write_family(250, project)
    for command in (("render", "specs/"), ("build",)):
        _opgen(*command, folder=project)
    yield Group(
        "import of a package of 500 ops after torch, a fresh process each",
        {"pairs.torch": _importer("pairs", "torch", project)},
        [Claim("pairs.torch", quantity="seconds", at_most=1.0)],
        rounds=9,
        self_timed=True,
    )


def _opgen(*arguments: str, folder: Path) -> None:
    """Run an opgen command in the project `folder`. Raises RuntimeError with its output if the
    command fails.
    """
    command = [sys.executable, "-m", "opgen", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)


def _importer(package: str, framework: str, folder: Path = ROOT) -> Callable[[], float]:
    program = PROGRAM.format(package=package, framework=framework)

    def seconds() -> float:
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
        return float(done.stdout)

    seconds()  # Python compiles the imported modules at the first import.
    return seconds
