"""Measure a candidate and the op's current kernel in turns, and check the results.

A sample runs one call on each of many tensor sets. Before a sample, the memory of all results is
filled with known bytes (poison), and the elements of each floating-point input are shuffled. After
the sample, a random set is compared with the reference. So a candidate gains nothing by caching
results, and no set stays in a CPU cache.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from math import prod
from time import perf_counter
from typing import Any

import numpy as np

from opgen.bench.harness import FEWEST
from opgen.bench.probe import Rate, last_level_cache, rates
from opgen.bench.sizes import Size, in_dtype, sample_of, scaled
from opgen.bench.work import Work, forward_work
from opgen.judge.process import CALLING, Failed, Process, place
from opgen.judge.verdict import SLOW, Speed
from opgen.judge.worker import Request
from opgen.source.frozen import dataclass
from opgen.testing.arrays import flat, mapped
from opgen.testing.cases import dtype_rows
from opgen.testing.draw import draw
from opgen.testing.environment import Case, size_text
from opgen.testing.hostile.checks import wrong_results
from opgen.testing.hostile.entry import takes
from opgen.testing.hostile.limits import Limits
from opgen.testing.hostile.memory import Memory
from opgen.testing.hostile.poisoned_call import PLAIN, Attempt, Called, Ran, laid_out
from opgen.testing.op_under_test import OpUnderTest

SIZES = (Size(256, 1024), Size(64, 256), Size(8, 128))
SETS, LEAST_SETS, MOST_BYTES = 48, 8, 2**28
# A time is impossible if it implies more than this multiple of the best measured rate. The margin
# is large because rates vary.
SLACK = 2.0
# The additional seconds that a first call may take.
FIRST = 0.05
# The number of calls that run at the same time.
TOGETHER = 4
# The largest accepted ratio of the candidate's time to the current kernel's time.
SLOWER = 1.1
# A candidate that seems slower is measured for this many times as many rounds.
PATIENCE = 3


@dataclass(frozen=True)
class Timed:
    """The measured times of a call, and a description of the fault that was found, or ""."""

    speed: Speed
    fault: str = ""


def timed_case(subject: OpUnderTest) -> Case | None:
    """Return the call to time: the op's first sample, scaled up and in f32 if possible.

    Return None if the op has no such call.
    """
    op = subject.op
    sample = sample_of(op)
    if sample is None:
        return None
    case = in_dtype(op, sample, "f32") or (sample if dtype_rows(op) else None)
    grown = [scaled(op, case, size) for size in SIZES] if case is not None else []
    whole = [found for found in grown if found is not None]
    # A Definition has one dim for each group, so also try calls of this kind.
    calls = (*whole, *map(_flat, whole), *([case] if case is not None else []))
    return next((found for found in calls if takes(subject, found)), None)


def _flat(case: Case) -> Case:
    """Return a copy of the case in which each group has one dim."""
    flat = {
        n: (prod(s),)
        for n, s in case.sizes
        if isinstance(s, tuple) and all(isinstance(m, int) for m in s)
    }
    return replace(case, sizes=tuple({**dict(case.sizes), **flat}.items()))


def timed(
    subject: OpUnderTest,
    case: Case,
    candidate: Process,
    own: tuple[OpUnderTest, Process] | None,
    warm: bool,
    rounds: int = 2 * FEWEST,
) -> Timed:
    """Time a call.

    `own` is the op with its current kernel, for comparison. With `warm`, a slow first call is not a
    fault. Raises `Failed` for wrong results.
    """
    work = forward_work(subject.op, case)
    pairs = [(subject, candidate), *([own] if own else [])]
    contestants = [_Sets(of, case, process, work) for of, process in pairs]
    machine = Machine()
    samples: list[list[float]] = [[] for _ in contestants]
    first, *_ = [sets.first() for sets in contestants]
    for number in range(PATIENCE * rounds):
        machine.measure()
        turns = [*zip(contestants, samples)]
        for sets, times in turns if number % 2 else reversed(turns):
            times.append(sets.sample())
        # Use the least time, because other programs can only increase a time.
        seconds, *own_seconds = map(min, samples)
        if number + 1 >= rounds and all(seconds <= SLOWER * own for own in own_seconds):
            break
    least = machine.least(work)
    named = ", ".join(f"{name} {dtype}" for name, dtype in case.dtypes)
    speed = Speed(
        call=f"{named}, {', '.join(f'{n} {size_text(size)}' for n, size in case.sizes)}",
        seconds=seconds,
        own_seconds=own_seconds[0] if own_seconds else None,
        least_seconds=least,
        bytes=work.bytes,
        flops=work.flops,
    )
    return Timed(speed, fault(speed, first if not warm else 0.0))


def together(subject: OpUnderTest, case: Case, process: Process) -> str:
    """Describe the first fault of calls that run on several threads at once, or return ""."""
    work = forward_work(subject.op, case)
    return _Sets(subject, case, process, work, most=TOGETHER).together()


def fault(speed: Speed, first: float) -> str:
    """Describe the fault of a measured time, or return an empty string.

    A fault is an impossible time, a slow first call, or a time much longer than the current
    kernel's.
    """
    if speed.seconds * SLACK < speed.least_seconds:
        return (
            f"impossible: {1e6 * speed.seconds:.1f} us, and this machine needs "
            f"{1e6 * speed.least_seconds:.1f} us for {speed.bytes} bytes"
            + (f" and {speed.flops:.3g} operations" if speed.flops is not None else "")
        )
    if first > FIRST + 100 * speed.seconds:
        return f"the first call takes {first:.2f} s, later ones {1e6 * speed.seconds:.1f} us"
    if speed.own_seconds is not None and speed.seconds > SLOWER * speed.own_seconds:
        return f"{speed.seconds / speed.own_seconds:.2f} {SLOW}"
    return ""


class Machine:
    """The best rates of this machine on one thread, measured between the samples."""

    def __init__(self) -> None:
        self.rates: Mapping[str, Rate] = rates(1)
        self.best = dict.fromkeys(self.rates, 0.0)

    def measure(self) -> None:
        """Measure each rate once."""
        for name, rate in self.rates.items():
            begun = perf_counter()
            rate.call()
            taken = perf_counter() - begun
            self.best[name] = max(self.best[name], rate.amount / taken)

    def least(self, work: Work) -> float:
        """Return the least number of seconds in which this machine can do `work`."""
        moved = work.bytes / max(self.best[name] for name in ("memcpy", "stream", "read"))
        computed = (work.flops or 0) / self.best["fma"]
        return float(max(moved, computed))


class _Sets:
    """The tensor sets of many calls, in the memory of one candidate's process."""

    def __init__(
        self, subject: OpUnderTest, case: Case, process: Process, work: Work, most: int = SETS
    ) -> None:
        self.subject, self.case, self.process = subject, case, process
        self.attempt = Attempt(subject, case)
        wanted = 1 + 2 * last_level_cache() // max(work.bytes, 1)
        room = max(LEAST_SETS, MOST_BYTES // max(work.bytes, 1))
        self.count = min(max(wanted, LEAST_SETS), SETS, room, most)
        self._rng = np.random.default_rng()
        self.sets: list[tuple[list[Any], list[Memory], list[Any]]] = []
        at = 0
        for n in range(self.count):
            arrays = mapped(np.copy, draw(subject.op, replace(case, seed=n)))
            memory = laid_out(self.attempt, arrays)
            placed, at = place(memory, at)
            self.sets.append((placed, memory, arrays))

    def first(self) -> float:
        """Time the first call, then prepare the calls for the samples. Return the time."""
        placed, memory, _ = self.sets[0]
        self.process.put(placed, memory)
        begun = perf_counter()
        request = Request(self.case, placed, PLAIN)
        self.process.ask(request, "speed", CALLING)
        taken = perf_counter() - begun
        for each, *_ in self.sets:
            self._keep(each)
        self.process.pin(min(os.sched_getaffinity(0)))
        return taken

    def _keep(self, placed: list[Any]) -> None:
        request = Request(self.case, placed, PLAIN, kept=True)
        self.process.ask(request, "speed", CALLING)

    def sample(self) -> float:
        """Return the mean seconds of a call over all sets."""
        for placed, memory, arrays in self.sets:
            self._change(arrays, memory)
            self.process.put(placed, memory)
        taken = self.process.sample(CALLING + self.count * CALLING)
        for text in self._wrong(random.choice(self.sets)):
            raise Failed("speed", f"in the timing loop: {text}")
        return taken / self.count

    def together(self) -> str:
        """Describe the first fault of calls that run on several threads at once, or return ""."""
        for placed, memory, _ in self.sets:
            self.process.put(placed, memory)
            self._keep(placed)
        self.process.together(CALLING)
        wrong = (text for each in self.sets for text in self._wrong(each))
        return next((f"calls at the same time: {text}" for text in wrong), "")

    def _wrong(self, one: tuple[list[Any], list[Memory], list[Any]]) -> Iterator[str]:
        placed, _, arrays = one
        after = laid_out(self.attempt, arrays)
        self.process.take(placed, after)
        called = Called(Ran(0), after, [])
        limits = Limits(self.subject, self.case, arrays)
        yield from wrong_results(self.subject, limits, called)

    def _change(self, arrays: list[Any], memory: list[Memory]) -> None:
        """Shuffle the elements of each floating-point input, so that old results are useless."""
        laid = dict(zip((tensor.name for tensor in self.subject.op.tensors), memory))
        for tensor, array in zip(self.subject.op.inputs, arrays):
            for one, where in zip(flat([array]), flat([laid[tensor.name]])):
                if one is None or one.size < 2 or one.dtype.kind not in "fV" or tensor.values:
                    continue
                one[...] = self._rng.permutation(one.reshape(-1)).reshape(one.shape)
                where.array[...] = one


def again(subject: OpUnderTest, cases: list[Case], check: Callable[..., Iterator[str]]) -> str:
    """Make 100 calls on new inputs, at alternating addresses.

    Describe the first fault, or return "".
    """
    for number in range(100):
        case = replace(cases[number % len(cases)], seed=1000 + number)
        for text in check(case, number % 2 == 1):
            return f"call {number + 1} of 100 on fresh inputs: {text}"
    return ""
