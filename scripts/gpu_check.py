"""Run everything that needs a GPU, in twelve minutes: `python scripts/gpu_check.py [--json FILE]`.

With `--minutes` it takes less time, and with `--from STAGE` a second call continues.

It renders and builds for the machine's GPU, with the PyTorch and the JAX of the running Python.
Each stage has a time limit, and the most important stages come first. They are values and gradients
of every op, compute-sanitizer, adapters, and the speed of the ops compared with their peers.

The results so far are written to a file after each stage, so that an interrupted run is still
useful. The table in docs/cuda.md is also updated. The exit code is 0 if all stages passed, 1 if
some failed, and 2 if there is no GPU or a package is missing.
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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MINUTES = 12.0
NEEDED = "torch jax pytest ml_dtypes array_api_compat pydantic jinja2 tomli ruff".split()
BEGIN, END = "<!-- gpu-check -->", "<!-- /gpu-check -->"  # around the table in PAGE
PAGE = ROOT / "docs" / "cuda.md"
OUTPUT_KEPT = 4000  # characters of a step's last output
# A line of pytest about one test, with several processes or one.
TEST = re.compile(
    r"^\[gw\d+\] \[ *\d+%\] (PASSED|FAILED|SKIPPED|ERROR) |::.* (PASSED|FAILED|SKIPPED|ERROR)\b.*%\]$"
)

# Under a sanitizer every kernel runs once in each dtype, on separately allocated tensors.
EACH_KERNEL = ["-m", "pytest", "-vv", "tests/gpu/test_kernels.py", "-k", "each_kernel"]
MOST_USED = """
    rms_norm layer_norm fused_add_rms_norm silu_and_mul gelu_and_mul swiglu cross_entropy
    linear_cross_entropy rotary apply_rotary embedding dropout topk_softmax grouped_gemm
    varlen_attention paged_cache_write quantize_fp8 int8_linear adamw_ relu
""".split()
SANITIZER = ["compute-sanitizer", "--error-exitcode", "86", "--target-processes", "all"]


@dataclass(frozen=True)
class Step:
    """A command to run, and its time limit in minutes."""

    name: str
    command: tuple[str, ...]
    minutes: float
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """The outcome of a step: `passed`, `failed`, `out of time` or `skipped`."""

    name: str
    outcome: str
    seconds: float
    counts: dict[str, int]
    output: str


def steps(python: str, gpu: Mapping[str, object], bench_json: Path) -> list[Step]:
    """Return the stages for this GPU, the most valuable first.

    `{}` in `bench_json` stands for a stage's name.
    """
    arch = str(gpu["capability"]).replace(".", "")
    opgen = (python, "-m", "opgen")
    # A line for each test, since a stage may be stopped. pyproject.toml has a -q already.
    pytest = (python, "-m", "pytest", "-vv", "-m", "gpu")
    if find_spec("xdist") is not None:
        pytest = (*pytest, "-n", "4")
    kernels = (*pytest, "tests/gpu/test_kernels.py", "-k")
    # Otherwise the first of several processes takes most of the GPU's memory for JAX.
    shared = {"XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
    uncached = {"PYTORCH_NO_CUDA_MEMORY_CACHING": "1", "XLA_PYTHON_CLIENT_ALLOCATOR": "platform"}

    def sanitizer(tool: str) -> tuple[str, ...]:
        return (*SANITIZER, "--tool", tool, python, *EACH_KERNEL)

    def bench(name: str, *chosen: str) -> Step:
        file = str(bench_json).format(name)
        return Step(name, (*opgen, "bench", *chosen, "--devices", "cuda", "--json", file), 1.5)

    return [
        Step("render", (*opgen, "render", "specs/"), 1.0),
        Step("build", (*opgen, "build"), 3.0, {"CUDAARCHS": arch}),
        Step("values", (*kernels, "test_values"), 1.5),
        Step("gradients", (*kernels, "test_gradients"), 1.5),
        Step("memcheck", sanitizer("memcheck"), 1.5, uncached),
        Step("racecheck", sanitizer("racecheck"), 1.0, uncached),
        Step("adapters", (*pytest, "tests/gpu/test_adapters.py"), 0.5),
        Step("rendered", (*pytest, "generated/tests"), 2.0, shared),
        Step("graphs", (*pytest, "tests/gpu/test_graphs.py"), 0.5),
        bench("ratios", *MOST_USED, "--sizes", "4096x4096", "--dtypes", "bf16"),
        bench("all_ratios"),
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
    started = subprocess.Popen(
        step.command,
        cwd=ROOT,
        env=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        output, _ = started.communicate(timeout=seconds)
        outcome = "failed" if started.returncode else "passed"
    except BaseException as stopped:
        # A sanitizer or pytest has children, which would share the GPU with the next step.
        os.killpg(started.pid, signal.SIGKILL)
        output, _ = started.communicate()
        if not isinstance(stopped, subprocess.TimeoutExpired):
            raise
        outcome = "out of time"
    took = round(time.monotonic() - begun, 1)
    told = "".join(line for line in output.splitlines(True) if result_of(line) != "passed")
    return Outcome(step.name, outcome, took, counts(output), told[-OUTPUT_KEPT:])


def result_of(line: str) -> str:
    """Return the result of the test that the line is about, or "" if it is about none."""
    found = TEST.search(line.rstrip())
    return (found[1] or found[2]).lower() if found else ""


def counts(output: str) -> dict[str, int]:
    """Return how many tests passed, failed, and were skipped, from pytest's last line.

    If pytest was stopped, its lines of tests are counted. Errors of sanitizers are also counted.
    """
    words = "passed|failed|skipped|errors?|deselected|xfailed"
    lines = output.splitlines()
    last = [line for line in lines if re.search(rf"\d+ ({words})\b.* in [\d.]+s", line)]
    found: dict[str, int] = {}
    if last:
        for n, word in re.findall(rf"(\d+) ({words})\b", last[-1]):
            found[word.rstrip("s") if word.startswith("error") else word] = int(n)
    else:
        found.update(Counter(filter(None, map(result_of, lines))))
    sanitized = re.findall(r"(?:ERROR SUMMARY|RACECHECK SUMMARY): (\d+)", output)
    return found | ({"sanitizer_errors": int(sanitized[-1])} if sanitized else {})


def check(
    planned: Sequence[Step],
    minutes: float,
    done: Callable[[list[Outcome]], None],
    execute: Callable[[Step, float], Outcome] = run,
) -> list[Outcome]:
    """Run all steps within `minutes`; after a failed build, skip the others.

    `done` is called after each step with the outcomes so far.
    """
    end = time.monotonic() + 60 * minutes
    outcomes: list[Outcome] = []
    for step in planned:
        if any(o.name in ("render", "build") and o.outcome != "passed" for o in outcomes):
            outcomes.append(Outcome(step.name, "skipped", 0.0, {}, "there is no build"))
        else:
            left = end - time.monotonic()
            outcomes.append(execute(step, min(left, 60 * step.minutes)))
        done(outcomes)
    return outcomes


def line(outcome: Outcome) -> str:
    """Format an outcome as one line."""
    told = ", ".join(f"{n} {word}" for word, n in outcome.counts.items())
    between = ", " if told else ""
    return f"{outcome.name}: {outcome.outcome} ({outcome.seconds:.0f} s{between}{told})"


def found_gpu() -> dict[str, object] | None:
    """Return name, capability and driver of the first GPU by nvidia-smi, or None without a GPU."""
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
    """Return the versions of Python and the tested packages; None if a package is not installed."""
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
    """Return the JSON document of the whole run."""
    files = {o.name: Path(str(bench_json).format(o.name)) for o in outcomes}
    return {
        "gpu": dict(gpu),
        "versions": versions(),
        "passed": all(outcome.outcome == "passed" for outcome in outcomes),
        "seconds": round(sum(outcome.seconds for outcome in outcomes), 1),
        "steps": [asdict(outcome) for outcome in outcomes],
        "benchmark": {n: json.loads(f.read_text()) for n, f in files.items() if f.is_file()},
    }


def table(whole: Mapping, day: str) -> str:
    """Return the document as a table for a page."""
    gpu, found = whole["gpu"], whole["versions"]
    kept = ("torch", "jax", "triton", "nvcc")
    told = ", ".join(f"{name} {found[name]}" for name in kept if found.get(name))
    rows = [
        f"| {step['name']} | {step['outcome']} | {step['seconds']:.0f} | "
        + ", ".join(f"{n} {word}" for word, n in step["counts"].items())
        + " |"
        for step in whole["steps"]
    ]
    head = f"{day}, {gpu['name']}, driver {gpu['driver']}; {told}:"
    return "\n".join([head, "", "| stage | outcome | s | |", "|---|---|---|---|", *rows])


def write_table(page: Path, whole: Mapping) -> None:
    """Insert the table between the page's marks, if it has them."""
    text = page.read_text()
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if end:
        made = table(whole, time.strftime("%Y-%m-%d"))
        page.write_text(f"{before}{begin}\n{made}\n{end}{after}")


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
    parser.add_argument(
        "--from",
        dest="first",
        metavar="STAGE",
        help="continue with this stage, and keep the results of the earlier ones",
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
    stages = options.json.with_suffix("")
    bench_json = stages / "{}.bench.json"
    planned = steps(sys.executable, gpu, bench_json)
    names = [step.name for step in planned]
    begin = 0
    if options.first is None:
        shutil.rmtree(stages, ignore_errors=True)
    elif options.first in names:
        begin = names.index(options.first)
    else:
        parser.error(f"--from {options.first}: expected one of {', '.join(names)}")
    stages.mkdir(parents=True, exist_ok=True)
    earlier = [
        Outcome(**json.loads(file.read_text()))
        for file in (stages / f"{name}.json" for name in names[:begin])
        if file.is_file()
    ]

    def write(outcomes: list[Outcome]) -> None:
        print(line(outcomes[-1]), flush=True)
        last = json.dumps(asdict(outcomes[-1]), indent=2)
        (stages / f"{outcomes[-1].name}.json").write_text(last + "\n")
        whole = document(gpu, [*earlier, *outcomes], bench_json)
        options.json.write_text(json.dumps(whole, indent=2) + "\n")
        write_table(PAGE, whole)

    done = check(planned[begin:], options.minutes, write)
    whole = document(gpu, [*earlier, *done], bench_json)
    print(f"gpu-check: {'passed' if whole['passed'] else 'failed'}; all of it is in {options.json}")
    return 0 if whole["passed"] else 1


if __name__ == "__main__":
    sys.exit(main())
