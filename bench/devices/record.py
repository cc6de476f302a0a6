"""The record of one traced training step: its collectives, and the bytes that they move."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from bench.devices.layouts import LLAMA

Call = tuple[str, int]  # the kind of a collective, and the bytes that reach each device


@dataclass(frozen=True)
class Step:
    """The collectives in a forward and backward of the whole model, as one device sees them.

    `collectives` holds the number of each kind of collective, and `bytes` the bytes that it moves.
    `seconds` is the time to trace and plan a model of two layers.
    """

    framework: str
    devices: int
    layout: str
    ops: str
    collectives: dict[str, int]
    bytes: dict[str, int]
    seconds: float

    @property
    def moved(self) -> int:
        return sum(self.bytes.values())

    def document(self) -> dict[str, Any]:
        return asdict(self)


def measured(
    traced: Callable[[int], Iterable[Call]], framework: str, devices: int, layout: str, ops: str
) -> Step:
    """Return the step of the whole model, from the collectives of models of one and of two layers.

    `traced` returns the collectives of a model with a given number of layers. Each further layer is
    assumed to move what the second layer moves. Collectives that move no bytes are not counted.
    """
    one = [call for call in traced(1) if call[1]]
    start = time.perf_counter()
    two = [call for call in traced(2) if call[1]]
    seconds = time.perf_counter() - start
    return Step(
        framework,
        devices,
        layout,
        ops,
        _whole(*(Counter(kind for kind, _ in calls) for calls in (one, two))),
        _whole(*map(_bytes, (one, two))),
        round(seconds, 2),
    )


def _bytes(calls: Iterable[Call]) -> Counter[str]:
    found: Counter[str] = Counter()
    for kind, size in calls:
        found[kind] += size
    return found


def _whole(one: Counter[str], two: Counter[str]) -> dict[str, int]:
    return {kind: one[kind] + (LLAMA.layers - 1) * (two[kind] - one[kind]) for kind in sorted(two)}
