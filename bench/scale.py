"""Measure how the cost of opgen's commands grows with the number of ops, and print a table.

`python -m bench.scale [OPS...]` writes a project for each number of ops, with one forward/backward
pair in each spec, and runs each command once. The default numbers are 10, 100, 1,000 and 10,000,
which take minutes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.generator import MEMORY, OPGEN
from bench.pairs import write_pairs
from opgen.build.cmake import configure
from opgen.build.frameworks import find_frameworks
from opgen.spec.config import load_config

SIZES = (10, 100, 1_000, 10_000)
HEAD = """\
| ops | lint | render, cold | one spec changed | unchanged | memory | build plan | import of `core` |
|---|---|---|---|---|---|---|---|"""


def row(ops: int, project: Path) -> Iterator[str]:
    """Yield the cells of one row: CPU seconds of each command on a project with `ops` ops, and the
    peak memory of a render.
    """
    write_pairs(ops // 2, project)
    render = [*OPGEN, "render"]
    yield f"{ops:,}"
    yield _seconds(used([*OPGEN, "lint"], project)[0])
    cold, megabytes = used(render, project)
    yield _seconds(cold)
    spec = project / "specs" / "fused_norm_1.toml"
    spec.write_text(spec.read_text().replace("1e-5", "2e-5"))
    yield _seconds(used(render, project)[0])
    yield _seconds(used(render, project)[0])
    yield f"{megabytes:.0f} MB"
    config, _, _ = load_config(project)
    plan = configure(config, config.out_dir, project / "build", find_frameworks(), (), None)
    yield _seconds(used(plan, project)[0])
    core = [sys.executable, "-c", f"import {config.package}.core"]
    used(core, project)  # Python compiles the imported modules at the first import
    yield _seconds(used(core, project)[0])


def used(command: Sequence[str], folder: Path) -> tuple[float, float]:
    """Return the CPU seconds of a command and its children, and the peak memory of its largest
    process in MB.
    """
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert process.stdout is not None
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.stdout.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command[:6])}: {output[-800:].decode()}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def _seconds(seconds: float) -> str:
    return f"{seconds:.2f} s"


def main(sizes: Sequence[int]) -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    print(HEAD)
    for ops in sizes:
        with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
            os.environ["XDG_CACHE_HOME"] = str(Path(folder, "cache"))
            print(f"| {' | '.join(row(ops, Path(folder, 'project')))} |", flush=True)


if __name__ == "__main__":
    main([*map(int, sys.argv[1:])] or SIZES)
