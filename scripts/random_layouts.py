"""Split ops at random, compare bytes with plain code: `python -m scripts.random_layouts jax`.

Each array of a call is split independently of the others, so most layouts are ones that nobody
would choose. Bytes are those of the forward, and of the forward with the gradients. They are
compared with the op's reference in the framework's own ops. Listed reasons for moving more bytes
(excuses) are ignored.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
DEVICES = 8
FLAGS = f"--xla_force_host_platform_device_count={DEVICES} --xla_backend_optimization_level=0"
PROCESSES = 2, 4


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser("python -m scripts.random_layouts", description=__doc__)
    parser.add_argument("framework", choices=("jax", "torch"))
    parser.add_argument("ops", nargs="*", metavar="OP", help="every op that may be split")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=4, help="layouts of a case and a mesh")
    parser.add_argument(
        "--processes", type=int, nargs="+", choices=(2, 4, 8), default=PROCESSES, help="for torch"
    )
    options = parser.parse_args(arguments)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # XLA warns where it gathers
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {FLAGS}".strip()
    chosen = options.ops, options.seed, options.count
    torch = options.framework == "torch"
    found = []
    for row in _in_torch(*chosen, options.processes) if torch else _in_jax(*chosen):
        found.append(row)
        if row.wrong or row.error or row.dearer:
            print(row, flush=True)
    print(_counts(found))
    return int(any(row.wrong or row.error for row in found))


def _counts(found: list[Any]) -> str:
    compared = [row for row in found if row.plain is not None]
    more, less = (
        [row for row in compared if sign * (row.ours - row.plain) > 0] for sign in (1, -1)
    )
    faults = {kind: sum(bool(getattr(row, kind)) for row in found) for kind in ("wrong", "error")}
    dear = sorted({row.op for row in more})
    return (
        f"{len(found)} calls, {len(compared)} compared: {len(more)} move more bytes ({', '.join(dear)}), "
        f"{len(less)} fewer; {faults['wrong']} wrong, {faults['error']} errors. "
        f"In all {sum(row.ours for row in compared):,} bytes, plain {sum(row.plain for row in compared):,}"
    )


def _subjects(chosen: list[str]) -> Iterator[Any]:
    """Yield the ops that may be split; only those in `chosen` if it is given."""
    import generated
    from opgen.testing import load

    test = str(Path(generated.__file__).parent / "tests" / "test_ops.py")
    one = load(test, "relu", package="generated", namespace="generated")
    for op in one.project.ops:
        if op.name in chosen or (not chosen and (op.splittable or op.stages)):
            yield load(test, op.name, package="generated", namespace="generated")


def _in_jax(ops: list[str], seed: int, count: int) -> Iterator[Any]:
    from opgen.testing import cases
    from opgen.testing.jax_sharding import rows
    from opgen.testing.placements import random_placements

    for subject in _subjects(ops):
        for kind in ("auto", "explicit"):
            chosen = partial(random_placements, count=count, seed=seed, kinds=(kind,))
            yield from rows(subject, cases(subject.op), chosen)


def _in_torch(ops: list[str], seed: int, count: int, among: Sequence[int]) -> Iterator[Any]:
    from opgen.testing import cases
    from opgen.testing.torch_placements import random_placements
    from opgen.testing.torch_sharding import rows

    chosen = partial(random_placements, count=count, seed=seed)
    for subject in _subjects(ops):
        for processes in among:
            yield from rows(subject, cases(subject.op), processes, chosen=chosen)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
