"""Train the network in four ways and compare: `python -m examples.digits [--data FOLDER]`."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from examples.digits.data import Digits, batches, bundled_digits, mnist
from examples.digits.model import BATCH, SEED, Trainer, initial_layers
from examples.digits.progress import bar

FOUR_DIGITS = 5e-5
ENOUGH = 0.9
AGREED = """The losses with the generated relu and with the native one agree to four digits.

Next:
  specs/relu.toml, generated/torch/_relu.py   the spec of this op, and what opgen made of it
  docs/tutorials/first-op.md                  write an op of your own in ten minutes
  make test                                   build all ops and run their tests"""


@dataclass(frozen=True)
class Run:
    """The result of one training: steps per second, the training loss in nats, and the share of
    held-out digits that the network classifies correctly.
    """

    name: str
    throughput: float
    loss: float
    accuracy: float


def main(arguments: list[str] | None = None) -> int:
    """Train the network four times, and print a table of the results.

    Returns 0 if all networks learn and the losses with the generated and the native relu agree.
    Returns 1 if not, and 2 if the data is missing or invalid.
    """
    options = _options(arguments)
    try:
        data = mnist(options.data) if options.data else bundled_digits()
    except (OSError, ValueError) as problem:
        print(f"No digits to learn from: {problem}", file=sys.stderr)
        return 2
    epochs = options.epochs or data.epochs
    print(
        f"{data.name}: {len(data.train_x)} to learn from, {len(data.test_x)} held out; "
        f"{epochs} epochs of batches of {BATCH}."
    )
    complaints, every = [], []
    for framework, pair in (("PyTorch", torch_pair), ("JAX", jax_pair)):
        runs = []
        for which, trainer in zip(("generated", "native"), pair(data)):
            run = train(f"{framework}, {which} relu", trainer, data, epochs)
            runs.append(run)
        every += runs
        complaints += check(*runs)
    print(table(every))
    print("\n".join(complaints) or AGREED)
    return 1 if complaints else 0


def torch_pair(data: Digits) -> tuple[Trainer, Trainer]:
    """Return two trainers with the same weights: one with the generated relu, and one with
    PyTorch's.
    """
    import torch

    from examples.digits.torch_mlp import TorchTrainer
    from generated.torch import relu

    # A second thread does not speed up such small layers, and on a busy machine it slows them down.
    torch.set_num_threads(1)
    layers = initial_layers(data)
    return TorchTrainer(data, layers, relu), TorchTrainer(data, layers, torch.relu)


def jax_pair(data: Digits) -> tuple[Trainer, Trainer]:
    """Return two trainers with the same weights: one with the generated relu, and one with JAX's."""
    import jax

    from examples.digits.jax_mlp import JaxTrainer
    from generated.jax import relu

    layers = initial_layers(data)
    return JaxTrainer(data, layers, relu), JaxTrainer(data, layers, jax.nn.relu)


def train(name: str, trainer: Trainer, data: Digits, epochs: int) -> Run:
    """Train for a number of epochs, and return the results. The speed is that of the median epoch."""
    rates = []
    for epoch in bar(batches(len(data.train_x), BATCH, SEED), epochs, name):
        start = perf_counter()
        trainer.epoch(epoch)
        rates.append(len(epoch) / (perf_counter() - start))
    return Run(name, median(rates), trainer.loss(), trainer.accuracy())


def table(runs: Sequence[Run]) -> str:
    """Return a table as text, with a row for each run: its loss, accuracy and speed."""
    head = f"{'':<24}{'final loss':>12}{'held-out accuracy':>20}{'batches per second':>21}"
    rows = (
        f"{run.name:<24}{run.loss:>12.6f}{run.accuracy:>20.2%}{run.throughput:>21.1f}"
        for run in runs
    )
    return "\n".join(("", head, *rows, ""))


def check(generated: Run, native: Run) -> list[str]:
    """Return what is wrong with a framework's two runs, one line for each fault: low accuracy, or
    different losses.
    """
    complaints = [
        f"{run.name}: {run.accuracy:.2%} of the held-out digits is less than {ENOUGH:.0%}"
        for run in (generated, native)
        if not run.accuracy >= ENOUGH
    ]
    if not math.isclose(generated.loss, native.loss, rel_tol=FOUR_DIGITS):
        complaints.append(
            f"{generated.name}: a final loss of {generated.loss:.8f}, "
            f"but {native.loss:.8f} with {native.name}"
        )
    return complaints


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m examples.digits", description=__doc__)
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="a folder with MNIST's four idx files"
    )
    parser.add_argument("--epochs", type=int, help="instead of as many as the data needs")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
