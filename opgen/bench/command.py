"""`opgen bench`: selects ops, measures each framework in a separate process, and reports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from opgen.bench.errors import BenchError
from opgen.bench.rows import Row, from_json
from opgen.bench.selection import select
from opgen.ir.project import Project
from opgen.source.atomic import put
from opgen.source.frozen import dataclass
from opgen.spec.config import Config

FRAMEWORKS = ("torch", "jax")


@dataclass(frozen=True)
class Options:
    """The user's options. If `threads` is None, every available CPU is used."""

    ops: Sequence[str]
    sizes: Sequence[tuple[int, int]]
    dtypes: Sequence[str]
    devices: Sequence[str]
    threads: int | None = None
    frameworks: Sequence[str] = ()
    json: Path | None = None
    plot: Path | None = None
    compare: Path | None = None


def bench(
    options: Options,
    project: Project,
    config: Config,
    specs: Sequence[Path],
    say: Callable[[str], None],
) -> int:
    """Measure the ops, print the table, and write the requested files.

    Return 1 if an op is slower than in the earlier run `options.compare`, else 0. Raises
    `BenchError` if the benchmark cannot run.
    """
    from opgen.bench import document, summary
    from opgen.bench.comparison import compare, shown

    here = document.machine()
    before: list[Row] = []
    if options.compare is not None:
        before = document.read(options.compare, here)
    rows: list[Row] = []
    table = summary.Table(print)
    for row in _measured(options, project, config, specs, say):
        rows.append(row)
        table.add(row)
    if not rows:
        raise BenchError("nothing was measured")
    print(summary.closing(rows), end="")
    if options.json is not None:
        put(options.json, document.text(rows, here))
    if options.plot is not None:
        from opgen.bench.roofline import plot

        if not plot(rows, options.plot, here["processor"]):
            say("there is no plot: no call of 1 MiB or more has a number of operations")
    if options.compare is None:
        return 0
    changes = compare(before, rows)
    print(shown(changes, options.compare), end="")
    return int(any(change.slower for change in changes))


def _measured(
    options: Options,
    project: Project,
    config: Config,
    specs: Sequence[Path],
    say: Callable[[str], None],
) -> Iterator[Row]:
    threads = threads_of(options.threads, config)
    frameworks = frameworks_of(options.frameworks, config)
    for device in options.devices:
        ops = select(project, options.ops, device, Path(config.kernels), say)
        for framework in frameworks:
            job = {
                "framework": framework,
                "device": device,
                "threads": threads,
                "ops": ops,
                "sizes": list(options.sizes),
                "dtypes": list(options.dtypes),
                "specs": [str(path.absolute()) for path in specs],
            }
            yield from map(from_json, process(job, config))


def threads_of(wanted: int | None, config: Config) -> int:
    """Return the number of threads with which to measure.

    Raises `BenchError` if the package is not built or if the process has too few CPUs.
    """
    if not (config.out_dir / "lib" / "BUILD.json").is_file():
        raise BenchError(f"{config.out}/ is not built: run `opgen build` first")
    threads = wanted or len(_cpus())
    if threads > len(_cpus()):
        raise BenchError(f"this process may use {len(_cpus())} CPUs: not {threads}")
    return threads


def frameworks_of(wanted: Sequence[str], config: Config) -> list[str]:
    """Return the requested frameworks, by default the installed ones that the package supports."""
    rendered = config.targets or FRAMEWORKS
    installed = [name for name in FRAMEWORKS if find_spec(name) is not None]
    for name in wanted:
        if name not in installed:
            raise BenchError(f"{name} is not installed")
        if name not in rendered:
            raise BenchError(
                f"the project renders nothing for {name}: see `targets` in [tool.opgen]"
            )
    found = list(wanted) or [n for n in installed if n in rendered]
    if not found:
        raise BenchError("neither PyTorch nor JAX is both installed and rendered for")
    return found


def process(job: Mapping[str, Any], config: Config) -> Iterator[Any]:
    """Start `python -m opgen.bench` for one framework, and yield its measurements as JSON values.

    The process may run on only as many CPUs as the job has threads, so that its thread pools do not
    have more threads. Its memory is limited to the free memory, so that a peer that needs more
    fails.
    """
    cpus, memory = sorted(_cpus())[: job["threads"]], _available_memory()

    def confine() -> None:
        if len(cpus) < len(_cpus()):
            os.sched_setaffinity(0, cpus)
        if memory is not None:  # the limit is known only on Linux
            import resource

            resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))

    command = [sys.executable, "-m", "opgen.bench", str(config.root), json.dumps(job)]
    # By default, NumPy requests huge pages, but only for the probe's buffers and the inputs.
    environment = os.environ | {"NUMPY_MADVISE_HUGEPAGE": "0"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment, preexec_fn=confine
    ) as process:
        for line in process.stdout or ():
            yield json.loads(line)
    if process.returncode:
        raise BenchError(f"measuring {job['framework']} on {job['device']} failed")


def _cpus() -> set[int]:
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


def _available_memory() -> int | None:
    """Return the number of bytes of memory that a process may use, or None if it is unknown."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    return next((1024 * int(x.split()[1]) for x in lines if x.startswith("MemAvailable:")), None)
