"""The error of benchmarks and of tuning."""

from __future__ import annotations

from opgen.source.failure import Failure


class BenchError(Failure):
    """Error for a benchmark that cannot run, or that cannot be compared with an earlier one."""
