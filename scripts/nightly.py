"""Runs everything and records it in docs/nightly.md: `python scripts/nightly.py [--cut] [STAGE
...]`.

Each stage is one command. Later stages run even if a stage fails or exceeds its time limit. With
`--cut` each stage runs a small part of its work, and is recorded as cut, never as passed. The exit
code is 0 if all stages passed, and 1 if some failed or were cut.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "docs" / "nightly.md"
LOGS = ROOT / "build" / "nightly"
PYTHON = sys.executable
PYTEST = (PYTHON, "-m", "pytest", "-rs", "-n", "2", "--no-loadscope-reorder")
PIP = (PYTHON, "-m", "pip", "install", "-q", "-c", "constraints.txt")
HOURS = 4.0
ENOUGH_REASONS = 30


@dataclass(frozen=True)
class Stage:
    """One command and its purpose; `part` is the command of a cut run."""

    name: str
    purpose: str
    command: tuple[str, ...]
    part: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    lacking: str = ""  # why this machine cannot run the stage


@dataclass(frozen=True)
class Outcome:
    """The result of a stage: `passed`, `failed`, `cut`, `out of time`, or `not run`."""

    stage: Stage
    outcome: str
    counts: str = ""
    minutes: float = 0.0
    skipped: Mapping[str, int] = field(default_factory=dict)


def stages() -> list[Stage]:
    """Return all stages, in order."""
    make = ("make", "--no-print-directory")
    no_gpu = "" if shutil.which("nvidia-smi") else "there is no NVIDIA GPU"
    sharded = (*PYTEST, "-k", "sharded")
    fuzz = (*PYTEST, "tests/test_fuzz.py", "tests/test_fuzz_structure.py")
    models = (*PYTEST, "tests/test_llama.py")
    return [
        Stage("lint", "formatting, types, specs", (*make, "lint"), (*make, "lint-specs")),
        Stage(
            "models",
            "Llama of transformers with parts swapped for ops",
            ("sh", "-c", f"{' '.join(PIP)} '.[llama]' --no-build-isolation && {' '.join(models)}"),
            (*PIP, "--dry-run", "--no-build-isolation", ".[llama]"),
        ),
        Stage("tests", "all tests", PYTEST, (*PYTEST, "tests/test_text.py"), {"OPGEN_KILLS": "50"}),
        Stage(
            "placements",
            "many placements of each op, on 4 and on 8 processes",
            (*sharded, "generated/tests"),
            (*sharded, "generated/tests/test_ops.py::relu"),
            {"OPGEN_SHARDING": "full"},
        ),
        Stage(
            "trust",
            "planted faults, and every wrong call of every op",
            (*make, "trust"),
            (*PYTEST, "tests/trust/test_kernels.py"),
        ),
        Stage(
            "mutants",
            "mutants of inference, expressions and resolving",
            (*make, "mutants"),
            (PYTHON, "-m", "tests.mutation.run", "--quick", "opgen/language/expr/places.py"),
        ),
        Stage(
            "fuzz",
            "100,000 mutated specs",
            fuzz,
            (*fuzz, "--collect-only", "-q"),
            {"OPGEN_FUZZ": "100000"},
        ),
        Stage(
            "kills",
            "kills of every command at each of its writes",
            (*PYTEST, "tests/test_kills.py"),
            (*PYTEST, "tests/test_kills.py", "-k", "nothing_is_hit"),
            {"OPGEN_KILLS": "0"},
        ),
        Stage(
            "sanitize",
            "kernels under sanitizers",
            (*make, "sanitize"),
            (*PYTEST, "--collect-only", "-q", "tests/runtime/test_kernels.py"),
        ),
        Stage(
            "matrix",
            "the whole suite on each Python",
            (*make, "matrix"),
            (*make, "matrix", "PYTHONS=3.13", "OPS=relu"),
        ),
        Stage(
            "coverage",
            "lines that no test runs",
            (*make, "coverage"),
            (PYTHON, "-m", "coverage", "run", "-m", "pytest", "tests/test_text.py"),
        ),
        Stage("site", "the site, without warnings", (*make, "docs"), (*make, "docs")),
        Stage(
            "bench",
            "ratios of generated to native",
            (*make, "bench"),
            (PYTHON, "-m", "opgen", "bench", "relu", "--sizes", "2x8", "--dtypes", "f32"),
        ),
        Stage(
            "cuda-stand-in",
            "the adapters on a stand-in for CUDA",
            (*make, "cuda-stand-in"),
            (*PYTEST, "--collect-only", "-q", "tests/cuda_stand_in"),
        ),
        Stage(
            "gpu",
            "tests and kernels on a GPU",
            (*make, "gpu-check"),
            (*make, "gpu-check"),
            {},
            no_gpu,
        ),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    every = stages()
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "stage", nargs="*", help=f"default: all of {', '.join(s.name for s in every)}"
    )
    parser.add_argument("--cut", action="store_true", help="run a small part of each stage")
    parser.add_argument("--hours", type=float, default=HOURS, help="limit of one stage")
    given = parser.parse_args(arguments)
    unknown = {*given.stage} - {stage.name for stage in every}
    if unknown:
        parser.error(f"no such stage: {', '.join(sorted(unknown))}")
    LOGS.mkdir(parents=True, exist_ok=True)
    outcomes = []
    for stage in every:
        if given.stage and stage.name not in given.stage:
            outcomes.append(Outcome(stage, "not run: not asked for"))
        else:
            outcomes.append(run(stage, given.cut, given.hours * 3600))
            print(row(outcomes[-1]), flush=True)
        RECORD.write_text(record(outcomes))  # keeps the results on record if this process is killed
    return int(any(each.outcome != "passed" for each in outcomes if not each.stage.lacking))


def run(stage: Stage, cut: bool, seconds: float) -> Outcome:
    """Run a stage for at most `seconds`."""
    if stage.lacking:
        return Outcome(stage, f"not run: {stage.lacking}")
    begun = time.monotonic()
    log = LOGS / f"{stage.name}.txt"
    with log.open("w") as file:
        process = subprocess.Popen(
            stage.part if cut else stage.command,
            cwd=ROOT,
            env={**os.environ, **({} if cut else stage.environment)},
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = process.wait(seconds)
            outcome = "failed" if code else "cut" if cut else "passed"
        except subprocess.TimeoutExpired:
            outcome = "out of time"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    text = log.read_text(errors="replace")
    counts = re.findall(
        r"^=* ?(\d+ (?:passed|failed|skipped|deselected).*?)(?: in .*)?$", text, re.M
    )
    minutes = (time.monotonic() - begun) / 60
    return Outcome(stage, outcome, counts[-1] if counts else "", minutes, reasons(text))


def reasons(text: str) -> dict[str, int]:
    """Return why pytest skipped tests, and how many."""
    found: Counter[str] = Counter()
    for count, reason in re.findall(r"^SKIPPED \[(\d+)\] [^ ]+: (.*)$", text, re.M):
        found[reason] += int(count)
    return dict(found)


def record(outcomes: Sequence[Outcome]) -> str:
    """Return the page: stages that ran, stages that did not and why, and their duration."""
    commit = git("rev-parse", "--short=12", "HEAD")
    changed = " with local changes" if git("status", "--porcelain", "-uno") else ""
    return "\n".join(page(outcomes, f"`{commit}`{changed}"))


def page(outcomes: Sequence[Outcome], commit: str) -> Iterator[str]:
    yield "# The last nightly run"
    yield ""
    yield f"`make nightly` wrote this page on {date.today()}, of commit {commit}, on {os.cpu_count()} cores."
    yield "Cut: a small part of the stage ran, which shows that it starts, and nothing more."
    yield ""
    yield "| stage | what it runs | outcome | tests | minutes |"
    yield "|---|---|---|---|---|"
    yield from map(row, outcomes)
    skipped: Counter[str] = Counter()
    for outcome in outcomes:
        skipped.update(outcome.skipped)
    if skipped:
        yield ""
        yield "Tests that were skipped:"
        yield ""
        yield "| tests | reason |"
        yield "|---|---|"
        yield from (
            f"| {count} | {reason} |" for reason, count in skipped.most_common(ENOUGH_REASONS)
        )
    yield ""


def row(outcome: Outcome) -> str:
    stage = outcome.stage
    return f"| {stage.name} | {stage.purpose} | {outcome.outcome} | {outcome.counts} | {outcome.minutes:.1f} |"


def git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
