"""Run the tests on every Python that opgen supports: `python scripts/matrix.py [--ops NAME ...]`.

For each installed Python, the script copies the tree and creates an environment below build/matrix/
with scripts/environment.py. It renders and builds there, and runs the whole suite, or with `--ops`
only the rendered tests of those families. It prints a table. The exit code is 0 if all tests
passed, 1 if some failed, and 2 if no Python was found.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13")
FAILURES_SHOWN = 20
# Files that a copy needs in addition to the specs to render, build and run the rendered tests.
SHARED = (
    "opgen/",
    "runtime/",
    "bench/",
    "scripts/",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "constraints.txt",
)


@dataclass(frozen=True)
class Row:
    """The outcome for one Python: `passed`, or the step that failed."""

    python: str
    outcome: str
    counts: str
    minutes: float

    def __str__(self) -> str:
        return f"| {self.python} | {self.outcome} | {self.counts} | {self.minutes:.1f} |"


HEAD = "| Python | outcome | tests | minutes |\n|---|---|---|---|"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--python", nargs="+", default=PYTHONS, metavar="X.Y")
    parser.add_argument(
        "--ops",
        nargs="+",
        metavar="NAME",
        help="families of specs/ whose rendered tests are run; default: the whole suite",
    )
    given = parser.parse_args(arguments)
    pythons = find_pythons(given.python)
    if not pythons:
        print("matrix: none of these Pythons was found", file=sys.stderr)
        return 2
    # An installation keeps one core busy, so all environments are created at once. The next steps
    # keep two cores busy.
    with ThreadPoolExecutor() as pool:
        prepared = [pool.submit(prepare, *each, given.ops) for each in pythons.items()]
    rows = []
    for version, preparation in zip(pythons, prepared):
        rows.append(run(version, preparation.result(), given.ops))
        print(rows[-1], flush=True)
    print("", HEAD, *rows, sep="\n")
    return int(any(row.outcome != "passed" for row in rows))


def find_pythons(versions: Sequence[str]) -> dict[str, str]:
    """Return the interpreters that were found, by version, and print the versions without one."""
    found = {version: find_python(version) for version in versions}
    for version in (version for version, python in found.items() if python is None):
        print(f"matrix: Python {version} was not found: skipped", flush=True)
    return {version: python for version, python in found.items() if python is not None}


def find_python(version: str) -> str | None:
    """Return a working interpreter of that version, from the path or from pyenv.

    The interpreter for `3.14t` has no global lock.
    """
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    candidates = [
        shutil.which(f"python{version}"),
        *sorted(kept.glob(f"{version}.*/bin/python"), reverse=True),
    ]
    for candidate in filter(None, candidates):
        asked = "import sys; print('%d.%d' % sys.version_info[:2] + sys.abiflags)"
        said = subprocess.run([candidate, "-c", asked], capture_output=True, text=True)
        if said.stdout.strip() == version:
            return str(candidate)
    return None


def prepare(version: str, python: str, ops: Sequence[str] | None) -> Row:
    """Copy the tree and create the environment of one Python."""
    place = ROOT / "build" / "matrix" / version
    copy(place / "tree", ops)
    (place / "log.txt").write_text("")
    return perform(version, {"install": installation(python, place)})


def run(version: str, prepared: Row, ops: Sequence[str] | None) -> Row:
    """Render, build and test with one Python; return `prepared` if the preparation failed."""
    if prepared.outcome != "passed":
        return prepared
    python = ROOT / "build" / "matrix" / version / "venv" / "bin" / "python"
    by_file = (
        ["--no-loadscope-reorder"] if ops is None else ["--dist", "loadscope", "generated/tests"]
    )
    steps = {
        "render": [[python, "-m", "opgen", "render", "specs/"]],
        "build": [[python, "-m", "opgen", "build"]],
        "tests": [[python, "-m", "pytest", "-n", "2", *by_file]],
    }
    tested = perform(version, steps)
    return replace(tested, minutes=prepared.minutes + tested.minutes)


def perform(version: str, steps: dict[str, list[list]]) -> Row:
    """Run the commands of `steps`; stop at the first failure."""
    begun = time.monotonic()
    place = ROOT / "build" / "matrix" / version
    log = place / "log.txt"
    outcome, printed = "passed", ""
    for name, command in ((name, each) for name, commands in steps.items() for each in commands):
        done = logged(command, place / "tree", log, environment())
        printed = done.stdout
        if done.returncode:
            outcome = f"{name} failed: {log.relative_to(ROOT)}"
            print(*(failures(printed) or printed.splitlines())[-FAILURES_SHOWN:], sep="\n")
            break
    counts = re.findall(r"^.*\b\d+ (?:passed|failed).*$", printed, re.M)
    summary = re.sub(r" in .*|=", "", counts[-1]).strip() if counts else ""
    return Row(version, outcome, summary, (time.monotonic() - begun) / 60)


def logged(
    command: Sequence[str | Path], folder: Path, log: Path, variables: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, and append its output to a log."""
    output, errors = subprocess.PIPE, subprocess.STDOUT
    done = subprocess.run(
        command, cwd=folder, env=variables, text=True, stdout=output, stderr=errors
    )
    with log.open("a") as file:
        file.write(done.stdout)
    return done


def failures(printed: str) -> list[str]:
    """Return pytest's lines about tests that failed."""
    return [line for line in printed.splitlines() if line.startswith(("FAILED", "ERROR"))]


def environment() -> dict[str, str]:
    """Return the environment of this process, without variables that make Python use other folders.

    Builds are as fast as possible, because nothing is measured here. XLA does not optimise, as in
    conftest.py. With ccache, a Python reuses the files compiled for another Python.
    """
    hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PYENV_VERSION", "__PYVENV_LAUNCHER__")
    kept = {key: value for key, value in os.environ.items() if key not in hidden}
    return {
        "CMAKE_BUILD_TYPE": "None",
        "OPGEN_CPU_LEVELS": "",
        "OPGEN_UNITY": "1",
        "CCACHE_NOHASHDIR": "1",
        "XLA_FLAGS": "--xla_backend_optimization_level=0",
    } | kept


def copy(tree: Path, ops: Sequence[str] | None) -> None:
    """Copy the files of the working tree, except ignored files; with `ops` only their files."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    chosen = set(filter(None, listed.split("\0")))
    if ops is not None:
        families = tuple(f"specs/{op}." for op in ops)
        missing = [op for op in ops if not (ROOT / "specs" / f"{op}.toml").is_file()]
        if missing:
            raise SystemExit(f"matrix: specs/ has no {', '.join(missing)}")
        chosen = {x for x in chosen if x.startswith(SHARED + families)}
    copied = tree.parent / "copied.txt"
    for file in set(copied.read_text().split("\0") if copied.is_file() else ()) - chosen:
        (tree / file).unlink(missing_ok=True)
    shutil.rmtree(tree / "generated/tests", ignore_errors=True)  # of families that are not selected
    tree.mkdir(parents=True, exist_ok=True)
    copied.write_text("\0".join(chosen))
    for file in chosen:
        source, target = ROOT / file, tree / file
        same = target.is_file() and source.read_bytes() == target.read_bytes()
        if source.is_file() and not same:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)


def installation(python: str, place: Path) -> list[list]:
    """Return the commands that create the environment."""
    return [[python, place / "tree" / "scripts" / "environment.py", place / "venv"]]


if __name__ == "__main__":
    sys.exit(main())
