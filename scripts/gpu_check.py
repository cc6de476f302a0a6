"""Runs everything that needs a GPU, in ten minutes: `python scripts/gpu_check.py [--json FILE]`.

Renders and builds against the PyTorch and the JAX of the running Python, for the machine's GPU.
Runs the tests marked `gpu`, and every kernel under compute-sanitizer's memcheck and racecheck.
Measures the ops and their peers on the GPU, and writes one JSON file. Exit code 0: all of it
passed; 1: some did not; 2: there is no GPU, or a package is missing.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MINUTES = 10.0
NEEDED = (
    "torch",
    "jax",
    "pytest",
    "ml_dtypes",
    "array_api_compat",
    "pydantic",
    "jinja2",
    "tomli",
    "ruff",
)
OUTPUT_KEPT = 4000  # characters of what a step printed last

# Under a sanitizer every kernel runs once in each dtype, on separately allocated tensors.
EACH_KERNEL = ["-m", "pytest", "-q", "tests/gpu/test_kernels.py", "-k", "each_kernel"]
SANITIZER = ["compute-sanitizer", "--error-exitcode", "86", "--target-processes", "all"]


@dataclass(frozen=True)
class Step:
    """One thing to run; `share` is the part of the whole time that it may take."""

    name: str
    command: tuple[str, ...]
    share: float
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """Outcome of a step: `passed`, `failed`, `out of time` or `skipped`."""

    name: str
    outcome: str
    seconds: float
    counts: dict[str, int]
    output: str


def steps(python: str, gpu: Mapping[str, object], bench_json: Path) -> list[Step]:
    """Steps for this GPU, in order."""
    arch = str(gpu["capability"]).replace(".", "")
    opgen = (python, "-m", "opgen")
    uncached = {"PYTORCH_NO_CUDA_MEMORY_CACHING": "1", "XLA_PYTHON_CLIENT_ALLOCATOR": "platform"}
    return [
        Step("render", (*opgen, "render", "specs/"), 0.1),
        Step("build", (*opgen, "build"), 0.4, {"CUDAARCHS": arch}),
        Step(
            "tests",
            (python, "-m", "pytest", "-q", "-m", "gpu", "tests/gpu", "generated/tests"),
            0.35,
        ),
        Step("memcheck", (*SANITIZER, "--tool", "memcheck", python, *EACH_KERNEL), 0.25, uncached),
        Step(
            "racecheck", (*SANITIZER, "--tool", "racecheck", python, *EACH_KERNEL), 0.25, uncached
        ),
        Step("benchmark", (*opgen, "bench", "--devices", "cuda", "--json", str(bench_json)), 0.4),
    ]


def run(step: Step, seconds: float) -> Outcome:
    """Run a step for at most `seconds`."""
    if shutil.which(step.command[0]) is None:
        return Outcome(step.name, "skipped", 0.0, {}, f"{step.command[0]} was not found")
    if seconds < 1:
        return Outcome(step.name, "out of time", 0.0, {}, "")
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    given = {**os.environ, "PYTHONPATH": path, **step.environment}
    begun = time.monotonic()
    try:
        done = subprocess.run(
            step.command,
            cwd=ROOT,
            env=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=seconds,
        )
        output, outcome = done.stdout, "failed" if done.returncode else "passed"
    except subprocess.TimeoutExpired as late:
        output, outcome = (late.stdout or b"").decode(errors="replace"), "out of time"
    took = round(time.monotonic() - begun, 1)
    return Outcome(step.name, outcome, took, counts(output), output[-OUTPUT_KEPT:])


def counts(output: str) -> dict[str, int]:
    """How many tests passed, failed, were skipped: pytest's last line; sanitizers' errors."""
    words = "passed|failed|skipped|errors?|deselected|xfailed"
    lines = [
        line for line in output.splitlines() if re.search(rf"\d+ ({words})\b.* in [\d.]+s", line)
    ]
    found = {
        word.rstrip("s") if word.startswith("error") else word: int(n)
        for n, word in re.findall(rf"(\d+) ({words})\b", lines[-1] if lines else "")
    }
    sanitized = re.findall(r"(?:ERROR SUMMARY|RACECHECK SUMMARY): (\d+)", output)
    return found | ({"sanitizer_errors": int(sanitized[-1])} if sanitized else {})


def check(
    planned: Sequence[Step],
    minutes: float,
    say: Callable[[str], None],
    execute: Callable[[Step, float], Outcome] = run,
) -> list[Outcome]:
    """Run all steps within `minutes`; once the build has failed the others are skipped."""
    end = time.monotonic() + 60 * minutes
    outcomes: list[Outcome] = []
    for step in planned:
        if any(o.name in ("render", "build") and o.outcome != "passed" for o in outcomes):
            outcomes.append(Outcome(step.name, "skipped", 0.0, {}, "there is no build"))
        else:
            left = end - time.monotonic()
            outcomes.append(execute(step, min(left, 60 * minutes * step.share)))
        last = outcomes[-1]
        told = ", ".join(f"{n} {word}" for word, n in last.counts.items())
        say(f"{last.name}: {last.outcome} ({last.seconds:.0f} s{', ' if told else ''}{told})")
    return outcomes


def found_gpu() -> dict[str, object] | None:
    """Name, capability and driver of the first GPU, by nvidia-smi; None without one."""
    if shutil.which("nvidia-smi") is None:
        return None
    query = [
        "nvidia-smi",
        "--query-gpu=name,compute_cap,driver_version,memory.total",
        "--format=csv,noheader",
    ]
    done = subprocess.run(query, capture_output=True, text=True, check=False)
    if done.returncode or not done.stdout.strip():
        return None
    names = ("name", "capability", "driver", "memory")
    return dict(zip(names, map(str.strip, done.stdout.splitlines()[0].split(","))))


def versions() -> dict[str, str | None]:
    """Of Python and what is tested with it; None for what is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    found: dict[str, str | None] = {"python": sys.version.split()[0]}
    for name in ("torch", "jax", "jaxlib", "triton", "liger-kernel"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    nvcc = shutil.which("nvcc")
    told = (
        subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout if nvcc else ""
    )
    release = re.search(r"release ([\d.]+)", told)
    return {**found, "nvcc": release[1] if release else None}


def document(gpu: Mapping[str, object], outcomes: Sequence[Outcome], bench_json: Path) -> dict:
    """The one JSON document."""
    return {
        "gpu": dict(gpu),
        "versions": versions(),
        "passed": all(outcome.outcome == "passed" for outcome in outcomes),
        "seconds": round(sum(outcome.seconds for outcome in outcomes), 1),
        "steps": [asdict(outcome) for outcome in outcomes],
        "benchmark": json.loads(bench_json.read_text()) if bench_json.is_file() else None,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        "gpu_check.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--json",
        type=Path,
        default=ROOT / "build" / "gpu_check.json",
        metavar="FILE",
        help="where to write (default: build/gpu_check.json)",
    )
    parser.add_argument(
        "--minutes",
        type=float,
        default=MINUTES,
        metavar="N",
        help="how long it may take in all (default: %(default)g)",
    )
    options = parser.parse_args(arguments)
    gpu = found_gpu()
    if gpu is None:
        print("gpu-check: there is no GPU here, so nothing was checked", file=sys.stderr)
        return 2
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        print(
            f"gpu-check: {', '.join(missing)} cannot be imported, so nothing was checked",
            file=sys.stderr,
        )
        return 2
    options.json.parent.mkdir(parents=True, exist_ok=True)
    bench_json = options.json.with_suffix(".bench.json")
    bench_json.unlink(missing_ok=True)
    planned = steps(sys.executable, gpu, bench_json)
    whole = document(gpu, check(planned, options.minutes, print), bench_json)
    bench_json.unlink(missing_ok=True)
    options.json.write_text(json.dumps(whole, indent=2) + "\n")
    print(f"gpu-check: {'passed' if whole['passed'] else 'failed'}; all of it is in {options.json}")
    return 0 if whole["passed"] else 1


if __name__ == "__main__":
    sys.exit(main())
