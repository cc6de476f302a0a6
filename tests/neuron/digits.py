"""Train the MLP of the demo with PyTorch's relu and with others: `python digits.py <my_ops> ...`.

Prints a line for each run: the final loss, and the share of correct held-out digits.
"""

from __future__ import annotations

import importlib
import sys
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "neuron_shim" / "python")]

import torch  # noqa: E402

from examples.digits.data import batches, bundled_digits  # noqa: E402
from examples.digits.model import BATCH, SEED, initial_layers  # noqa: E402
from examples.digits.torch_mlp import TorchTrainer  # noqa: E402

EPOCHS = 45


def main(*modules: str) -> None:
    torch.set_num_threads(1)
    data = bundled_digits()
    layers = initial_layers(data)
    for relu in (torch.relu, *(importlib.import_module(m).relu for m in modules)):
        trainer = TorchTrainer(data, layers, relu)
        for epoch in islice(batches(len(data.train_x), BATCH, SEED), EPOCHS):
            trainer.epoch(epoch)
        print(trainer.loss(), trainer.accuracy())


if __name__ == "__main__":
    main(*sys.argv[1:])
