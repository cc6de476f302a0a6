"""`opgen tune`: measures which values of a kernel's tuning parameters are fastest."""

from __future__ import annotations

from collections.abc import Sequence

from opgen.cli.console import BENCH_NEEDS, Failure, read_config, read_project, require_packages, say
from opgen.compiler.discovery import spec_files


def tune(
    ops: Sequence[str],
    sizes: Sequence[tuple[int, int]],
    dtypes: Sequence[str],
    device: str,
    frameworks: Sequence[str],
    threads: int | None,
    dims: Sequence[Sequence[tuple[str, object]]],
) -> int:
    """Measure the tuning parameters of kernels on a device, and write the device's tuning table."""
    require_packages(BENCH_NEEDS, "tuning")
    from opgen.bench.command import BenchError
    from opgen.bench.tune_command import Options, tune

    config = read_config([], "text")
    project = read_project([], config)
    options = Options(ops, sizes, dtypes, device, frameworks, threads, dims)
    try:
        return tune(options, project, config, spec_files([], config), say)
    except BenchError as error:
        raise Failure(str(error)) from error
