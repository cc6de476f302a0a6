"""Run everything and record it in docs/nightly.md: `python scripts/nightly.py [--cut] [STAGE ...]`.

Each stage is one command. Later stages run even if a stage fails or exceeds its time limit. With
`--cut` each stage runs a small part of its work, and is recorded as cut, never as passed. Stages
that were not selected keep their last outcome, which is in `build/nightly`. The exit code is 0 if
all stages passed, and 1 if some failed, were cut or were not selected.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "docs" / "nightly.md"
LOGS = ROOT / "build" / "nightly"  # what each stage printed, and its last outcome
PYTHON = sys.executable
PYTEST = (PYTHON, "-m", "pytest", "-rs", "-n", "2", "--no-loadscope-reorder")
PIP = (PYTHON, "-m", "pip", "install", "-q", "-c", "constraints.txt")
HOURS = 4.0
ENOUGH_REASONS = 30


@dataclass(frozen=True)
class Stage:
    """One command and its purpose. `part` is the command that runs with `--cut`."""

    name: str
    purpose: str
    command: tuple[str, ...]
    part: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    lacking: str = ""  # why this machine cannot run the stage


@dataclass(frozen=True)
class Outcome:
    """The result of a stage."""

    outcome: str  # `passed`, `failed`, `cut`, `out of time`, or `not run` and why
    counts: str = ""  # of tests, as pytest prints them
    minutes: float = 0.0
    commit: str = ""
    day: str = ""
    skipped: Mapping[str, int] = field(default_factory=dict)  # reason -> tests


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
            "the Llama of transformers, with layers replaced by ops",
            (
                "sh",
                "-c",
                f"{' '.join(PIP)} -e '.[llama]' --no-build-isolation && {' '.join(models)}",
            ),
            (*PIP, "--dry-run", "--no-build-isolation", "-e", ".[llama]"),
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
            "tests with planted faults, and all generated invalid calls of each op",
            (*make, "trust"),
            (*PYTEST, "tests/trust/test_kernels.py"),
        ),
        Stage(
            "mutants",
            "tests that must detect mistakes planted in opgen's code",
            (*make, "mutants"),
            (PYTHON, "-m", "tests.mutation.run", "--quick", "opgen/language/expr/places.py"),
        ),
        Stage(
            "fuzz",
            "lint of 100,000 specs with random changes",
            fuzz,
            (*fuzz, "--collect-only", "-q"),
            {"OPGEN_FUZZ": "100000"},
        ),
        Stage(
            "kills",
            "commands that are killed while they write files",
            (*PYTEST, "tests/test_kills.py"),
            (*PYTEST, "tests/test_kills.py", "-k", "nothing_is_hit"),
            {"OPGEN_KILLS": "0"},
        ),
        Stage(
            "sanitize",
            "kernels under sanitizers",
            (*make, "sanitize"),
            (*PYTEST, "tests/runtime/test_kernels.py"),  # few sizes, one sanitizer
        ),
        Stage(
            "matrix",
            "all tests, on each version of Python",
            (*make, "matrix"),
            (*make, "matrix", "PYTHONS=3.13", "OPS=relu"),
        ),
        Stage(
            "coverage",
            "the share of opgen's lines that the tests run",
            (*make, "coverage"),
            (PYTHON, "-m", "coverage", "run", "-m", "pytest", "tests/test_text.py"),
        ),
        Stage("site", "a build of the site, without warnings", (*make, "docs"), (*make, "docs")),
        Stage(
            "bench",
            "speed of ops relative to native ops",
            (*make, "bench"),
            (PYTHON, "-m", "opgen", "bench", "relu", "--sizes", "2x8", "--dtypes", "f32"),
        ),
        Stage(
            "devices",
            "the bytes that a Llama moves between 4,096 devices",
            (*make, "devices"),
            (PYTHON, "-c", "from bench.devices.page import write; write()"),
        ),
        Stage(
            "cuda-stand-in",
            "the PyTorch adapters on fake CUDA libraries",
            (*make, "cuda-stand-in"),
            (PYTHON, "-m", "tests.cuda_stand_in", "--help"),
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
    for stage in every:
        if not given.stage or stage.name in given.stage:
            outcome = run(stage, given.cut, given.hours * 3600)
            (LOGS / f"{stage.name}.json").write_text(json.dumps(asdict(outcome)))
            print(row(stage, outcome), flush=True)
            RECORD.write_text("\n".join(page(every)))  # keeps results if this process is killed
    return int(any(not stage.lacking and last(stage).outcome != "passed" for stage in every))


def last(stage: Stage) -> Outcome:
    """Return the outcome of the last run of a stage."""
    file = LOGS / f"{stage.name}.json"
    if file.exists():
        return Outcome(**json.loads(file.read_text()))
    return Outcome(f"not run: {stage.lacking or 'not selected'}")


def run(stage: Stage, cut: bool, seconds: float) -> Outcome:
    """Run a stage for at most `seconds`."""
    if stage.lacking:
        return last(stage)
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
    found = counts[-1] if counts else ""
    return Outcome(outcome, found, minutes, commit(), str(date.today()), reasons(text))


def reasons(text: str) -> dict[str, int]:
    """Return why pytest skipped tests, and how many."""
    found: Counter[str] = Counter()
    for count, reason in re.findall(r"^SKIPPED \[(\d+)\] [^ ]+: (.*)$", text, re.M):
        found[reason] += int(count)
    return dict(found)


def page(every: Sequence[Stage]) -> Iterator[str]:
    """Yield the record: stages that ran, of which commit, stages that did not, and why."""
    outcomes = [last(stage) for stage in every]
    yield "# The last nightly run"
    yield ""
    yield f"`make nightly` wrote this page on {date.today()}, on {os.cpu_count()} cores."
    yield 'The outcome "cut" means that only a small part of the stage ran, to show that it starts.'
    yield "A star after a commit marks uncommitted changes."
    yield ""
    yield "| stage | what it runs | outcome | tests | minutes | day | commit |"
    yield "|---|---|---|---|---|---|---|"
    yield from map(row, every, outcomes)
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


def row(stage: Stage, outcome: Outcome) -> str:
    ran = (outcome.counts, f"{outcome.minutes:.1f}", outcome.day, outcome.commit)
    cells = (stage.name, stage.purpose, outcome.outcome, *(ran if outcome.day else [""] * 4))
    return f"| {' | '.join(cells)} |"


def commit() -> str:
    """Return the short hash of the commit, with a star if files differ from it."""
    changed = "*" * bool(git("status", "--porcelain", "-uno", ":!docs/nightly.md"))
    return f"`{git('rev-parse', '--short=10', 'HEAD')}`{changed}"


def git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
