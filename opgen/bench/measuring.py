"""Measure ops in one framework, in a separate process. Each row is yielded when it is complete."""

from __future__ import annotations

import ctypes
import gc
import itertools
import signal
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from importlib import import_module
from time import perf_counter
from typing import Any

from opgen.bench.agreement import disagreement
from opgen.bench.harness import Claim, Group, Result, Spread, measure
from opgen.bench.peers import OWN, Inputs, Peers, load_peers
from opgen.bench.probe import Rate, last_level_cache, rates
from opgen.bench.rows import SMALL, Peer, Row, call_of
from opgen.bench.sizes import Size, in_dtype, sample_of, scaled, with_sizes
from opgen.bench.work import Work, backward_work, forward_work
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.source.frozen import dataclass
from opgen.spec.config import Config
from opgen.testing.arrays import flat
from opgen.testing.draw import draw
from opgen.testing.environment import Case
from opgen.testing.op_under_test import OpUnderTest

CALLS = {"torch": "TorchCalls", "jax": "JaxCalls"}
YARDSTICK, AWAKE = "yardstick", "awake"
ROUNDS, PATIENCE = 31, 2.0
# If a call of a peer takes more seconds, the peer is skipped. It would only delay the run.
LONGEST = 5.0
# If the preparation of a peer takes more seconds, the peer is skipped. Most of this time is
# compilation, which can take an hour for an unrolled reference.
READY = 120.0
# The limits for the number of input sets, and for their total bytes as estimated beforehand.
MOST_SETS, MOST_BYTES = 128, 4 * 2**30
# Settings for glibc's `mallopt`: M_TRIM_THRESHOLD, M_MMAP_MAX and M_ARENA_MAX, with values.
KEEP_MEMORY = ((-1, -1), (-4, 0), (-8, 1))


@dataclass(frozen=True)
class Job:
    """A request to measure ops in one framework, on one device, with a number of threads."""

    framework: str
    device: str
    threads: int
    ops: Sequence[str]
    sizes: Sequence[Size]
    dtypes: Sequence[str]
    rounds: int = ROUNDS
    patience: float = PATIENCE


def measured(
    job: Job, project: Project, config: Config, say: Callable[[str], None]
) -> Iterator[Row]:
    """Yield a row for each op's forward and backward, in each dtype and size. Report skipped calls.

    Raises `BenchError`, or LookupError if the device is missing.
    """
    calls = prepared(job, config)
    peers = load_peers(config.peers_file, {op.name: op for op in project.ops})
    machine = rates(job.threads) if job.device == "cpu" else calls.rates()
    for name in job.ops:
        subject = OpUnderTest(project.op(name), project)
        late: dict[tuple[str, ...], int] = {}
        for dtype, size, case in cases(subject, job, peers, say):
            contest = _Contest(job, subject, case, dtype, size, machine, calls, say, late)
            yield from contest.rows(peers)


def prepared(job: Job, config: Config) -> Any:
    """Prepare a framework for measuring a package. Return the class `TorchCalls` or `JaxCalls`."""
    keep_memory()
    sys.path.insert(0, str(config.out_dir.parents[config.package.count(".")]))
    calls = getattr(import_module(f"opgen.bench.{job.framework}_calls"), CALLS[job.framework])
    calls.prepare(job.threads, job.device)
    return calls


def keep_memory() -> None:
    """Make glibc keep freed memory, so that the next call causes no page faults."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return
    for parameter, value in KEEP_MEMORY:
        mallopt(parameter, value)


def cases(
    subject: OpUnderTest, job: Job, peers: Peers, say: Callable[[str], None]
) -> Iterator[tuple[str, Size, Case]]:
    """Yield the dtype, size and case of each call to measure. Report the calls that are skipped."""
    op = subject.op
    sample = sample_of(op)
    own_sizes = peers.sizes(op.name)
    wanted = [replace(size, call=call) for size in job.sizes for call in own_sizes or ("",)]
    if sample is None:
        say(f"{op.name} has no sample")
        return
    for dtype in job.dtypes:
        case = in_dtype(op, sample, dtype)
        if case is None:
            say(f"{op.name} takes no {dtype}")
            continue
        for size in wanted:
            if own_sizes:
                grown = with_sizes(op, case, own_sizes[size.call](size.rows, size.columns))
            else:
                grown = scaled(op, case, size)
            if grown is None:
                say(f"{op.name} cannot be called at {size}")
            else:
                yield dtype, size, grown


@dataclass(frozen=True)
class _Contest:
    """The measurement of one op at one size, together with its peers."""

    job: Job
    subject: OpUnderTest
    case: Case
    dtype: str
    size: Size
    machine: Mapping[str, Rate]
    calls: type
    say: Callable[[str], None]
    # A peer was too slow at this number of elements, by dtype, call and peer. Larger calls of the
    # peer are skipped.
    late: dict[tuple[str, ...], int] = field(default_factory=dict)

    @property
    def _where(self) -> str:
        return f"{self.subject.name} {self.dtype} {self.size}"

    def rows(self, peers: Peers) -> Iterator[Row]:
        calls = self.calls(self.subject, self.case, self.job.device)
        table = peers.functions(self.job.framework, self.subject.name)
        functions = calls.functions(table)
        forward = forward_work(self.subject.op, self.case)
        backward = backward_work(self.subject.op, self.case, self.subject.project)
        real = peers.inputs(self.subject.name)
        inputs = map(calls.inputs, drawn(self.subject.op, self.case, real))
        first = next(inputs)
        functions = dict(self._agreeing(calls, functions, first, self._random(table, first)))
        kept = _copies(self.subject.op, backward) * len(functions) * forward.written
        with_gradient = {}
        if backward is not None:
            with_gradient = dict(self._with_gradient(calls, functions, first))
            kept += calls.saved_bytes(with_gradient, first)
        count = set_count(self.subject.op, self.case, forward, kept)
        sets = [first, *itertools.islice(inputs, count - 1)]
        yield self._row(calls, functions, calls.forward, calls.directions[0], forward, sets)
        if backward is not None:
            both = "+" in calls.directions[1]
            work = forward + backward if both else backward
            direction = calls.directions[1]
            yield self._row(calls, with_gradient, calls.backward, direction, work, sets)
        gc.collect()

    def _random(self, table: Iterable[str], inputs: list[Any]) -> frozenset[str]:
        """Return the peers whose random numbers differ from the op's. These are all peers if the op
        has a seed as input, and none otherwise.
        """
        given = zip(self.subject.op.inputs, inputs)
        seeded = any(tensor.seed and x is not None for tensor, x in given)
        return frozenset(table) if seeded else frozenset()

    def _agreeing(
        self,
        calls: Any,
        functions: Mapping[str, Any],
        inputs: list[Any],
        random: Container[str] = (),
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the op's function, and the peers whose results agree with the op's.

        The random numbers of the peers in `random` differ from the op's.
        """
        own = calls.results(functions[OWN], inputs)
        for name, function in functions.items():
            if name == OWN:
                yield name, function
                continue
            try:
                with self._in_time(name):
                    found = calls.results(function, inputs)
                    problem = disagreement(own, found, random=name in random)
                    if problem is None:
                        sets = [calls.copies(inputs)]
                        _call(calls.forward(function, sets, itertools.repeat(0)))
            except TimeoutError as error:
                problem = str(error)
            except Exception as error:  # the error is from a function that is not opgen's
                problem = f"fails: {type(error).__name__}: {str(error).splitlines()[0]}"
            if problem is None:
                yield name, function
            else:
                self.say(f"{self._where}: {name} is left out: it {problem}")

    def _with_gradient(
        self, calls: Any, functions: Mapping[str, Any], inputs: list[Any]
    ) -> Iterator[tuple[str, Any]]:
        """Yield the op and the peers that have a gradient. Some PyTorch functions have none."""
        for name, function in functions.items():
            if name in calls.forward_only:
                continue
            try:
                if name != OWN:
                    with self._in_time(f"the gradient of {name}"):
                        _call(calls.backward(function, [inputs], itertools.repeat(0)))
            except TimeoutError as error:
                self.say(f"{self._where}: the gradient of {name} is left out: it {error}")
            except Exception as error:  # the error is from a function that is not opgen's
                text = f"{type(error).__name__}: {str(error).splitlines()[0]}"
                self.say(f"{self.subject.name} {self.dtype}: {name} has no gradient: {text}")
            else:
                yield name, function

    @contextmanager
    def _in_time(self, what: str) -> Iterator[None]:
        """Raise TimeoutError if the block takes more than `READY` seconds.

        Raise it immediately if `what` was already too slow with fewer elements.
        """
        key, elements = (self.dtype, self.size.call, what), self.size.rows * self.size.columns
        if elements >= self.late.get(key, elements + 1):
            raise TimeoutError("took too long at a smaller size")
        start = perf_counter()
        try:
            with _alarm():
                yield
        except Exception as error:
            # When TimeoutError interrupts a compiler, the compiler may raise its own error instead.
            alarmed = perf_counter() - start > READY
            if alarmed or isinstance(error, TimeoutError):
                self.late[key] = elements
            if alarmed:
                raise TimeoutError(f"is not ready after {READY:g} s") from None
            raise

    def _row(
        self,
        calls: Any,
        functions: Mapping[str, Any],
        make: Callable[..., Any],
        direction: str,
        work: Work,
        sets: list[list[Any]],
    ) -> Row:
        small = work.bytes < SMALL
        rated = {} if small else self.machine
        # All functions share one sequence of input sets. So no function finds its inputs in a cache
        # after another function has read them.
        turns = itertools.cycle(range(len(sets)))
        contestants = {n: calls.timed(make(f, sets, turns)) for n, f in functions.items()}
        # The machine's rates run on their own threads. This call wakes the framework's threads
        # again.
        contestants[AWAKE] = contestants[OWN]
        contestants |= {n: calls.timed(rate.call) for n, rate in rated.items()}
        yardstick = "memcpy" if rated else YARDSTICK
        if not rated:
            contestants[YARDSTICK] = calls.timed(_interpreted)
        peers = [name for name in functions if name != OWN]
        claims = [Claim(OWN, name) for name in (*peers, yardstick)]
        result = measure(
            Group(
                f"{self.subject.name} {direction}",
                contestants,
                claims,
                self.job.rounds,
                self_timed=calls.self_timed,
                patience=self.job.patience,
            )
        )
        return self._as_row(direction, work, result, rated, peers)

    def _as_row(
        self,
        direction: str,
        work: Work,
        result: Result,
        rated: Mapping[str, Rate],
        peers: Sequence[str],
    ) -> Row:
        *ratios, relative = (finding.measured for finding in result.findings)
        return Row(
            op=self.subject.name,
            direction=direction,
            framework=self.job.framework,
            device=self.job.device,
            dtype=self.dtype,
            size=str(self.size),
            threads=self.job.threads,
            work=work,
            seconds=result.seconds[OWN],
            relative=relative,
            rates={n: _per_second(rate, result.seconds[n]) for n, rate in rated.items()},
            peers={n: Peer(result.seconds[n], r) for n, r in zip(peers, ratios, strict=True)},
            call=call_of(self.case),
        )


@contextmanager
def _alarm() -> Iterator[None]:
    """Raise TimeoutError after `READY` seconds, as soon as C++ returns to Python.

    If other code catches the error, raise it again.
    """

    def stop(*_: object) -> None:
        raise TimeoutError

    former = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, READY, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


def _call(call: Callable[[], object]) -> None:
    """Call `call`. If this takes more than `LONGEST` seconds, call it again.

    The first call may include compilation. Raises TimeoutError if the second call takes more than
    `LONGEST` seconds too.
    """
    for _ in range(2):
        start = perf_counter()
        call()
        seconds = perf_counter() - start
        if seconds <= LONGEST:
            return
    raise TimeoutError(f"takes {seconds:.0f} s")


def drawn(op: Op, case: Case, real: Inputs) -> Iterator[Sequence[Any]]:
    """Yield new inputs for a call, endlessly. `real` makes random inputs realistic."""
    for n in itertools.count():
        yield real(*draw(op, replace(case, seed=n)))


def set_count(op: Op, case: Case, work: Work, kept: int) -> int:
    """Return the number of input sets to use in turn, so that no call finds its inputs in a cache.

    `kept` is the number of bytes that stay allocated for each set in addition to its inputs.
    """
    wanted = 1 + 2 * last_level_cache() // max(1, work.read)
    room = max(1, MOST_BYTES // max(1, _bytes(draw(op, case)) + kept))
    return 1 if work.bytes < SMALL else min(wanted, MOST_SETS, room)


def _per_second(rate: Rate, seconds: Spread) -> Spread:
    """Convert a spread of times to a spread of rates. The longest time gives the lowest rate."""
    return Spread(
        rate.amount / seconds.median,
        rate.amount / seconds.high,
        rate.amount / seconds.low,
        rate.amount / seconds.most,
        rate.amount / seconds.least,
    )


def _copies(op: Op, backward: Work | None) -> int:
    """Return how many sets of arrays as large as the forward's outputs each function keeps.

    A backward keeps two: the results and the cotangents. In JAX, a forward that updates inputs
    keeps one. Any other forward keeps none.
    """
    if backward is not None:
        return 2
    return int(bool(op.updated))


def _bytes(arrays: Sequence[Any]) -> int:
    """Return the number of bytes of some inputs: arrays, lists of arrays, and None."""
    return sum(y.nbytes for y in flat(arrays) if y is not None)


def _interpreted() -> int:
    """Run Python code for a few microseconds, as a yardstick for the time of small calls."""
    total = 0
    for n in range(50):
        total += n
    return total
