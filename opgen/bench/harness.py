"""Measure functions in turns, and check their ratios against bounds.

The speed of a machine often changes by more than the speeds of the functions differ. The functions
of a group therefore take turns, and the order is reversed in each round. A ratio is the median of
the ratios of measurements that are neighbours in time. It is not the ratio of two medians.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from math import inf
from statistics import quantiles
from time import perf_counter
from typing import Any, Literal

from opgen.source.frozen import dataclass
from opgen.source.garbage import uncollected

Contestant = Callable[[], Any]
Quantity = Literal["time ratio", "speed ratio", "seconds", "more seconds"]

# The lowest number of rounds for which quartiles make sense.
FEWEST = 7


@dataclass(frozen=True)
class Claim:
    """A statement about the functions of a group, which the measurement checks.

    "time ratio" is the subject's time divided by the baseline's time. "speed ratio" is the inverse.
    "seconds" is the subject's time alone, and "more seconds" is the subject's time minus the
    baseline's. A claim without a bound always holds and is only reported.
    """

    subject: str
    baseline: str = ""
    quantity: Quantity = "time ratio"
    at_most: float | None = None
    at_least: float | None = None


@dataclass(frozen=True)
class Group:
    """Functions that are measured in turns.

    `seconds` is the minimum duration of a sample. A faster function is called in a loop. With
    `self_timed`, a function is called once per sample and returns its own time in seconds. After
    `patience` seconds, measuring stops as soon as `FEWEST` rounds are complete.
    """

    name: str
    contestants: Mapping[str, Contestant]
    claims: Sequence[Claim] = ()
    rounds: int = 50
    seconds: float = 0.002
    self_timed: bool = False
    patience: float = inf


@dataclass(frozen=True)
class Spread:
    """The median of some numbers, their quartiles, and their extremes."""

    median: float
    low: float
    high: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        low, middle, high = quantiles(values, n=4, method="inclusive")
        return cls(middle, low, high, min(values), max(values))


@dataclass(frozen=True)
class Finding:
    """A claim with its measured value."""

    claim: Claim
    measured: Spread

    @property
    def holds(self) -> bool:
        claim, value = self.claim, self.measured.median
        return (claim.at_most is None or value <= claim.at_most) and (
            claim.at_least is None or value >= claim.at_least
        )


@dataclass(frozen=True)
class Result:
    """The result of a group: the seconds per call of each function, and the checked claims."""

    name: str
    rounds: int
    seconds: Mapping[str, Spread]
    findings: Sequence[Finding]


def measure(group: Group) -> Result:
    """Measure a group and check its claims. Raises KeyError for a claim on an unknown function."""
    samples = _samples(group)
    return Result(
        group.name,
        min(map(len, samples.values()), default=0),
        {name: Spread.of(times) for name, times in samples.items()},
        [Finding(claim, _judge(claim, samples)) for claim in group.claims],
    )


def _samples(group: Group) -> dict[str, list[float]]:
    samplers = {
        name: call if group.self_timed else _looped(call, group.seconds)
        for name, call in group.contestants.items()
    }
    samples: dict[str, list[float]] = {name: [] for name in samplers}
    turns = list(samplers.items())
    gc.collect()
    with uncollected():
        end = perf_counter() + group.patience
        for done in range(group.rounds):
            if done >= FEWEST and perf_counter() > end:
                break
            for name, sample in turns:
                samples[name].append(sample())
            turns.reverse()
    return samples


def _looped(call: Contestant, seconds: float) -> Callable[[], float]:
    """Return a function that warms up `call` and then measures it for at least `seconds`."""
    call()
    loops = 1
    while time_of(call, loops) < seconds:
        loops *= 2
    return lambda: time_of(call, loops) / loops


def time_of(call: Contestant, loops: int) -> float:
    """Return the seconds of `loops` calls."""
    turns = range(loops)
    start = perf_counter()
    for _ in turns:
        call()
    return perf_counter() - start


def _judge(claim: Claim, samples: Mapping[str, list[float]]) -> Spread:
    subject = samples[claim.subject]
    if claim.quantity == "seconds":
        return Spread.of(subject)
    pairs = list(zip(subject, samples[claim.baseline], strict=True))
    if claim.quantity == "time ratio":
        return Spread.of([own / other for own, other in pairs])
    if claim.quantity == "more seconds":
        return Spread.of([own - other for own, other in pairs])
    return Spread.of([other / own for own, other in pairs])
