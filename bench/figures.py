"""Measure the ops of the catalogue: `python -m bench.figures [OP...]`, or `make figures`.

Measures ops as `opgen bench` does, and writes bench/figures.json after each op and framework. Sizes
that the file contains are not measured again, unless the command names their op. So you can
interrupt a run and start it again.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any

from opgen.bench import tvm
from opgen.bench.command import FRAMEWORKS, process, threads_of
from opgen.bench.document import machine
from opgen.bench.errors import BenchError
from opgen.bench.measuring import PATIENCE, ROUNDS, cases
from opgen.bench.measuring import Job as Measurement
from opgen.bench.peers import load_peers
from opgen.bench.rows import Row, from_json, is_behind
from opgen.bench.selection import select
from opgen.bench.sizes import SIZES, Size
from opgen.bench.work import forward_work
from opgen.compiler.pipeline import load
from opgen.ir.project import Project
from opgen.spec.config import Config, load_config
from opgen.testing.op_under_test import OpUnderTest

ROOT = Path(__file__).parents[1]
MEASURED = ROOT / "bench/figures.json"
# Lines of the form `op = "reason"`: why a peer is faster in some calls of the op.
REASONS = ROOT / "bench/behind.toml"
DTYPES = ("f32", "bf16")
# A forward with more operations is not measured, because some peers take half a minute per call.
MOST_FLOPS = 1e12
DIGITS = 4


@dataclass(frozen=True)
class Figure:
    """The measured times of one call of an op, and of its alternatives (`peers`), on one processor.

    `peers` maps a name to the peer's seconds and to our time divided by the peer's. `rates` holds
    the machine's rates per second, such as bytes by memcpy.
    """

    op: str
    framework: str
    direction: str
    dtype: str
    size: str
    threads: int
    processor: str
    date: str
    bytes: int
    flops: float | None
    seconds: float
    peers: Mapping[str, tuple[float, float]]
    rates: Mapping[str, float]
    # The dtypes, sizes, attrs and absent inputs of the call.
    given: Mapping[str, Any]

    @property
    def call(self) -> tuple[str, ...]:
        """Return the key of the measured call. A later figure with the same key replaces this
        figure.
        """
        return (self.op, self.framework, self.direction, self.dtype, self.size)

    @property
    def fastest(self) -> tuple[str, float] | None:
        """Return the fastest peer's name, and our time divided by its time; None if there are no
        peers.
        """
        found = min(self.peers.items(), key=lambda peer: peer[1][0], default=None)
        return found and (found[0], found[1][1])

    @property
    def behind(self) -> bool:
        """Return whether the fastest peer is faster by more than `opgen bench` tolerates."""
        found = min(self.peers.values(), default=None)
        return found is not None and is_behind(self.bytes, self.seconds, *found)


def figure(row: Row, processor: str) -> Figure:
    """Return the figure for a row of `opgen bench`.

    The op's own kernel, called through tvm-ffi, does not count as a peer.
    """
    return Figure(
        row.op,
        row.framework,
        row.direction,
        row.dtype,
        row.size,
        row.threads,
        processor,
        date.today().isoformat(),
        row.work.bytes,
        row.work.flops,
        _rounded(row.seconds.median),
        {
            name: (_rounded(peer.seconds.median), _rounded(peer.ratio.median))
            for name, peer in row.peers.items()
            if name != tvm.NAME
        },
        {name: _rounded(rate.median) for name, rate in row.rates.items()},
        row.call,
    )


def _rounded(number: float) -> float:
    return float(f"{number:.{DIGITS}g}")


def read(file: Path = MEASURED) -> tuple[dict[str, Any], list[Figure]]:
    """Return the machine of the last run and all figures; both are empty if the file does not
    exist.
    """
    if not file.exists():
        return {}, []
    whole = json.loads(file.read_text())
    return whole["machine"], [Figure(**each) for each in whole["figures"]]


def reasons() -> dict[str, str]:
    """Return the reasons why peers are faster than ops, by op name."""
    return tomllib.loads(REASONS.read_text())


def text(here: Mapping[str, Any], figures: Sequence[Figure]) -> str:
    """Return the text of bench/figures.json. It has a line for each call, sorted, so that a diff
    shows new measurements.
    """
    key = ("op", "framework", "direction", "dtype")
    lines = sorted(
        (asdict(each) for each in figures),
        key=lambda f: (*(f[k] for k in key), int(f["size"].split("x")[0]), f["size"]),
    )
    rows = ",\n".join(map(json.dumps, lines))
    return f'{{"machine": {json.dumps(here)},\n"figures": [\n{rows}\n]}}\n'


def measured_with(project: Project) -> dict[str, str]:
    """Return the backward ops that are measured only with their forward, mapped to the name of the
    forward.
    """
    found: dict[str, str] = {}
    for op in project.ops:
        for call in op.backward_calls:
            if call.op != op.name and not project.op(call.op).replaces:
                found.setdefault(call.op, op.name)
    return found


def measurable(project: Project) -> list[str]:
    """Return the names of the ops that are measured on their own: no stages, and no ops in
    `measured_with`.
    """
    parts = {stage for family in project.families for stage in family.stages}
    return [op.name for op in project.ops if op.name not in {*parts, *measured_with(project)}]


def sizes(op: OpUnderTest, config: Config, wanted: Sequence[Size]) -> Iterator[Size]:
    """Yield the sizes among `wanted` at which the op can be called with at most `MOST_FLOPS`
    operations in a forward.
    """
    peers = load_peers(config.peers_file, {each.name: each for each in op.project.ops})
    job = Measurement("torch", "cpu", 1, [op.name], wanted, DTYPES[:1])
    found = {size: case for _, size, case in cases(op, job, peers, lambda _: None)}
    flops = {size: forward_work(op.op, case).flops or 0 for size, case in found.items()}
    long = {_pair(size) for size, count in flops.items() if count > MOST_FLOPS}
    yield from (size for size in found if _pair(size) not in long)


def _pair(size: Size) -> tuple[int, int]:
    return size.rows, size.columns


def measure(
    names: Sequence[str],
    config: Config,
    project: Project,
    wanted: Sequence[Size],
    fields: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Measure the ops with these names at the sizes `wanted`. Without names, measure all ops at
    missing sizes.

    A size is missing if the file does not contain it. The function writes the file after each op
    and framework. `fields` are further options of the measurement, such as the dtypes.
    """
    here, (_, done) = machine(), read()
    for name in select(project, names or measurable(project), "cpu", config.kernels_dir, print):
        subject = OpUnderTest(project.op(name), project)
        for framework in FRAMEWORKS:
            held = {f.size for f in done if (f.op, f.framework) == (name, framework)}
            missing = [s for s in sizes(subject, config, wanted) if names or str(s) not in held]
            if not missing:
                continue
            job = {
                "framework": framework,
                "device": "cpu",
                "threads": threads_of(None, config),
                "ops": [name],
                "sizes": list(dict.fromkeys(map(_pair, missing))),
                "specs": list(map(str, sorted(config.specs_dir.glob("*.toml")))),
                **fields,
            }
            rows = map(from_json, process(job, config))
            found = {f.call: f for f in (figure(row, str(here["processor"])) for row in rows)}
            done = [f for f in done if f.call not in found] + [*found.values()]
            MEASURED.write_text(text(here, done))
            print(f"{name}, {framework}: {len(found)} calls", flush=True)


def _sizes(text: str) -> list[Size]:
    return [Size(*map(int, size.split("x"))) for size in text.split(",")]


def project_of() -> tuple[Config, Project]:
    """Return the configuration and the project of this repository. Raises `BenchError` if a spec
    has errors.
    """
    config, _, _ = load_config(ROOT)
    project, _, _ = load(sorted(config.specs_dir.glob("*.toml")), config)
    if project is None:
        raise BenchError("the specs have errors: run `opgen lint specs/`")
    return config, project


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python -m bench.figures", description=__doc__)
    parser.add_argument("ops", nargs="*", metavar="OP", help="those to measure again")
    parser.add_argument(
        "--sizes", type=_sizes, default=[Size(*s) for s in SIZES], metavar="8x128,..."
    )
    parser.add_argument("--dtypes", type=lambda text: text.split(","), default=DTYPES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--patience", type=float, default=PATIENCE, metavar="SECONDS")
    given = parser.parse_args(arguments)
    try:
        fields = {
            "dtypes": given.dtypes,
            "rounds": given.rounds,
            "patience": given.patience,
        }
        config, project = project_of()
        measure(given.ops, config, project, given.sizes, fields)
    except (BenchError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    _, figures = read()
    missing = sorted({*measurable(project)} - {f.op for f in figures})
    if missing:
        print(f"without a figure: {', '.join(missing)}", file=sys.stderr)
    return int(bool(missing))


if __name__ == "__main__":
    sys.exit(main())
