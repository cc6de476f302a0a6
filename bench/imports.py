"""What `import generated.torch` and `import generated.jax` cost on top of their framework."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator

from opgen.bench.harness import Claim, Group

PROGRAM = """
import {framework}
from time import perf_counter
start = perf_counter()
import generated.{framework}
print(perf_counter() - start)
"""


def groups() -> Iterator[Group]:
    yield Group(
        "import of the generated package after its framework's, a fresh process each",
        {f"generated.{name}": _importer(name) for name in ("torch", "jax")},
        [
            Claim("generated.torch", quantity="seconds", at_most=0.050),
            Claim("generated.jax", quantity="seconds"),
        ],
        rounds=7,
        self_timed=True,
    )


def _importer(framework: str) -> Callable[[], float]:
    command = [sys.executable, "-c", PROGRAM.format(framework=framework)]

    def seconds() -> float:
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return float(done.stdout)

    return seconds
