"""`opgen tune`: measures tuning values of kernels."""

from __future__ import annotations

from collections.abc import Sequence

from opgen.cli.console import BENCH_NEEDS, Failure, print_found, read_config, say
from opgen.compiler.discovery import spec_files
from opgen.compiler.project_sources import listed


def tune(
    ops: Sequence[str],
    sizes: Sequence[tuple[int, int]],
    dtypes: Sequence[str],
    device: str,
    frameworks: Sequence[str],
    threads: int | None,
    dims: Sequence[Sequence[tuple[str, object]]],
) -> int:
    """Measure the values of kernels on a device of this machine; write its table."""
    from importlib.util import find_spec

    missing = [name for name in BENCH_NEEDS if find_spec(name) is None]
    if missing:
        raise Failure(f"tuning needs {listed(missing)}: `pip install {' '.join(missing)}`")
    from opgen.bench.command import BenchError
    from opgen.bench.tune_command import Options, tune
    from opgen.compiler.pipeline import load

    config = read_config([], "text")
    specs = spec_files([], config)
    project, found, sources = load(specs, config)
    if project is None:
        print_found(found, sources, "text")
        return 1
    options = Options(ops, sizes, dtypes, device, frameworks, threads, dims)
    try:
        return tune(options, project, config, specs, say)
    except BenchError as error:
        raise Failure(str(error)) from error
