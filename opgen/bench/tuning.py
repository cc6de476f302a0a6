"""Measure the possible tuning values of kernels in one framework, in a separate process.

All tuning values of a kernel are measured in turns on the same inputs. The fastest value is chosen
only if it is clearly faster than the default. A second measurement of only these two values must
confirm the difference.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from importlib import import_module
from typing import Any

from opgen.bench.errors import BenchError
from opgen.bench.harness import Claim, Group, Spread, measure, time_of
from opgen.bench.measuring import Job, cases, drawn, prepared, set_count
from opgen.bench.peers import Inputs, Peers, load_peers
from opgen.bench.sizes import in_dtype, with_sizes
from opgen.bench.work import forward_work
from opgen.compiler.tuned_tables import kernel_key, tuned_kernels
from opgen.ir.nodes import Kernel
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.ir.tune import Tune
from opgen.language.expr.evaluate import evaluate
from opgen.source.frozen import dataclass
from opgen.spec.config import Config
from opgen.testing.cases import samples
from opgen.testing.environment import Case, environment, size_text
from opgen.testing.op_under_test import OpUnderTest

# The chosen value's median time, relative to the default's, is at most this. The upper quartile
# must also be below 1.
CLEARLY = 0.97
ROUNDS, PATIENCE = 11, 4.0
FINAL_ROUNDS, FINAL_PATIENCE = 31, 4.0
SAMPLE = 0.002  # seconds

Values = tuple[int, ...]


@dataclass(frozen=True)
class TuningJob(Job):
    """A request to measure tuning values.

    Each item of `dims` maps dims and groups to sizes. If `dims` is not empty, `sizes` is ignored.
    """

    dims: Sequence[Mapping[str, object]] = ()


def tuned(
    job: TuningJob, project: Project, config: Config, say: Callable[[str], None]
) -> Iterator[dict[str, Any]]:
    """Yield a row of the tuning table, with the best values, for each kernel, dtype and size.

    Skipped calls are reported.

    Raises `BenchError`, or LookupError if the device is missing.
    """
    calls = prepared(job, config)
    peers = load_peers(config.peers_file, {op.name: op for op in project.ops})
    package = import_module(config.package)
    handles = import_module(f"{config.package}._opgen.core.tuned")
    import_module(f"{config.package}.{job.framework}")
    for name in job.ops:
        subject = OpUnderTest(project.op(name), project)
        for kernel, tune in tuned_kernels(subject.op, job.device):
            own = kernel.name if kernel.listed else ""
            handle = handles.TunedKernel(name, job.device, own)
            try:
                handle.force(None)
            except (KeyError, ValueError):
                raise BenchError(
                    f"the libraries know no values of {name}: run `opgen render` and `opgen build`"
                ) from None
            alone: Callable[[], AbstractContextManager[None]] = nullcontext
            if kernel.listed:
                alone = partial(package.kernels, **{name: kernel.name})
            for dtype, size, case in _cases(subject, job, peers, say):
                real = peers.inputs(name)
                trial = _Trial(job, subject, case, kernel, tune, handle, calls, real)
                label = f"{kernel_key(subject.op, kernel)} {dtype} {size}"
                with alone():
                    yield from trial.rows(label, say)


def _cases(
    subject: OpUnderTest, job: TuningJob, peers: Peers, say: Callable[[str], None]
) -> Iterator[tuple[str, str, Case]]:
    """Yield (dtype, label, case) for each call to measure.

    The sizes of the calls come from the job's `dims`, or from its `sizes` if `dims` is empty.
    """
    if not job.dims:
        for dtype, size, case in cases(subject, job, peers, say):
            yield dtype, str(size), case
        return
    op = subject.op
    known = samples(op)
    for dtype, dims in itertools.product(job.dtypes, job.dims):
        label = ",".join(f"{name}={size_text(size)}" for name, size in dims.items())
        having = [s for s in known if {*dims} <= {n for n, _ in (*s.sizes, *s.attrs)}]
        if not having:
            say(f"{op.name} has no sample with {' and '.join(dims)}")
            continue
        typed = (in_dtype(op, sample, dtype) for sample in having)
        grown = next((_grown(op, case, dims) for case in typed if case is not None), None)
        if grown is None:
            say(f"{op.name} cannot be called in {dtype} at {label}")
        else:
            yield dtype, label, grown


def _grown(op: Op, case: Case, dims: Mapping[str, object]) -> Case | None:
    """Return `case` with the sizes in `dims`, or None if the op rejects these sizes.

    A single number for a group is the size of the group's only dim.
    """
    before = dict((*case.sizes, *case.attrs))
    one = {n: (v,) for n, v in dims.items() if isinstance(v, int) and isinstance(before[n], tuple)}
    several = (n for n, v in dims.items() if isinstance(v, tuple) and isinstance(before[n], int))
    return None if any(several) else with_sizes(op, case, {**dims, **one})


@dataclass(frozen=True)
class _Trial:
    """The measurement of one kernel at one size, with all possible tuning values."""

    job: TuningJob
    subject: OpUnderTest
    case: Case
    kernel: Kernel
    tune: Tune
    handle: Any
    calls: type
    real: Inputs

    def rows(self, label: str, say: Callable[[str], None]) -> Iterator[dict[str, Any]]:
        op = self.subject.op
        calls = self.calls(self.subject, self.case, self.job.device)
        work = forward_work(op, self.case)
        inputs = map(calls.inputs, drawn(op, self.case, self.real))
        sets = list(itertools.islice(inputs, set_count(op, self.case, work, 0)))
        turns = itertools.cycle(range(len(sets)))
        call = calls.forward(calls.own(), sets, turns)
        try:
            call()
        except ValueError as error:  # a listed tuning value may be invalid for this call
            say(f"{label} is left out: {error}")
            return
        try:
            yield self._row(label, self._chosen(calls.timed(call), calls.self_timed))
        finally:
            self.handle.force(None)

    def _chosen(self, call: Callable[[], Any], self_timed: bool) -> tuple[Values, Spread, Spread]:
        """Return the best tuning values, and the times with the default and the best values."""
        loops = 0 if self_timed else _loops(call)
        samples = {each: self._sample(each, call, loops) for each in self.tune.candidates}
        first = self.tune.first
        seconds, ratios = self._measured(samples, ROUNDS, PATIENCE)
        best = min(ratios, key=lambda each: ratios[each].median)
        if not _clear(ratios[best]):
            return first, seconds[first], seconds[first]
        two = {each: samples[each] for each in (first, best)}
        seconds, ratios = self._measured(two, FINAL_ROUNDS, FINAL_PATIENCE)
        return best if _clear(ratios[best]) else first, seconds[first], seconds[best]

    def _sample(self, values: Values, call: Callable[[], Any], loops: int) -> Callable[[], float]:
        """Return a function that measures a call with these tuning values.

        If `loops` is 0, the call measures its own time.
        """

        def sample() -> float:
            self.handle.force(values)
            if loops:
                return time_of(call, loops) / loops
            found: float = call()
            return found

        return sample

    def _measured(
        self, samples: dict[Values, Callable[[], float]], rounds: int, patience: float
    ) -> tuple[dict[Values, Spread], dict[Values, Spread]]:
        """Return two maps from tuning values: seconds per call, and time ratios to the default."""
        first, *others = samples
        names = {each: str(each) for each in samples}
        result = measure(
            Group(
                self.subject.name,
                {names[each]: sample for each, sample in samples.items()},
                [Claim(names[each], names[first]) for each in others],
                rounds,
                self_timed=True,
                patience=patience,
            )
        )
        seconds = {each: result.seconds[names[each]] for each in samples}
        return seconds, dict(zip(others, (f.measured for f in result.findings), strict=True))

    def _row(self, label: str, chosen: tuple[Values, Spread, Spread]) -> dict[str, Any]:
        values, default, own = chosen
        own = default if values == self.tune.first else own
        known = environment(self.subject.op, self.case)
        fields = {field.name: field.value for field in self.subject.op.descriptor.fields}
        return {
            "label": label,
            "key": kernel_key(self.subject.op, self.kernel),
            "device": self.handle.device_name(),
            "row": {
                "threads": self.job.threads if self.job.device == "cpu" else 1,
                "dtypes": {name: known[name] for name in self.tune.dtypes},
                "sizes": {name: int(evaluate(fields[name], known)) for name in self.tune.sizes},
                "values": dict(zip(self.tune.names, values)),
                "default_us": round(1e6 * default.median, 2),
                "us": round(1e6 * own.median, 2),
            },
        }


def _clear(ratio: Spread) -> bool:
    return ratio.median <= CLEARLY and ratio.high < 1


def _loops(call: Callable[[], Any]) -> int:
    """Return how many calls to make in one sample, so that the sample is long enough.

    The number is the same for all tuning values, so that the overhead of a first call affects all
    of them equally.
    """
    loops = 1
    while min(time_of(call, loops) for _ in range(3)) < SAMPLE:
        loops *= 2
    return loops
