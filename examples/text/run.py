"""Train a model with opgen's ops and a model with native ops in turn, one step each."""

from __future__ import annotations

import time
from collections.abc import Sequence
from statistics import mean, median
from types import ModuleType
from typing import NamedTuple

import numpy as np

import generated.jax
import generated.torch
from examples.llama_jax import plain
from examples.llama_torch import native
from examples.text import in_jax, in_torch
from examples.text.data import batches, tests

FRAMEWORKS = {
    "PyTorch": (in_torch, generated.torch, native),
    "JAX": (in_jax, generated.jax, plain),
}
WINDOW = 10  # steps over which a curve is smoothed


class Run(NamedTuple):
    losses: list[float]  # of each step, in nats for a byte
    held_out: float  # after the last, on text that was not trained on
    seconds: float  # the median step
    kept: int  # bytes: in PyTorch kept for the backward, in JAX allocated by a step
    graph_breaks: int | None


class Pair(NamedTuple):
    ours: Run
    native: Run

    @property
    def apart(self) -> float:
        """Return the largest distance between the two smoothed loss curves, in nats."""
        curves = zip(smooth(self.ours.losses), smooth(self.native.losses), strict=True)
        return max(abs(a - b) for a, b in curves)


def train(framework: str, steps: int) -> Pair:
    side, *modules = FRAMEWORKS[framework]
    return Pair(*_together(side, modules, steps))


def _together(side: ModuleType, modules: Sequence[ModuleType], steps: int) -> list[Run]:
    """Train one model for each module, step by step in turn, so that other load on the machine
    slows all models equally.
    """
    data = batches(steps)
    trainings = [side.Training(module, data[0]) for module in modules]
    losses, seconds = ([[] for _ in modules] for _ in range(2))
    for batch in data:
        for n, training in enumerate(trainings):
            start = time.perf_counter()
            losses[n].append(training.step(batch))
            seconds[n].append(time.perf_counter() - start)
    held_out = [mean(map(training.loss, tests())) for training in trainings]
    breaks = [training.graph_breaks(data[0]) for training in trainings]
    kept = [training.kept for training in trainings]
    return list(map(Run, losses, held_out, map(median, seconds), kept, breaks))


def smooth(losses: Sequence[float]) -> list[float]:
    width = min(WINDOW, len(losses))
    return [float(x) for x in np.convolve(losses, np.full(width, 1 / width), "valid")]
