"""Train with both libraries over two processes, each with half of the devices.

`python -m examples.llama_modules.processes RANK ADDRESS` is one of them. The first prints the
results.
"""

from __future__ import annotations

import json
import sys

from examples.llama_jax.processes import join, printed
from examples.llama_modules import in_equinox, in_flax
from examples.llama_modules.compare import Pair, compare
from examples.llama_modules.train import Trained

LIBRARIES = {"Flax NNX": in_flax, "Equinox": in_equinox}


def main(rank: int, address: str) -> None:
    join(rank, address)
    found = {name: compare(library, "float32") for name, library in LIBRARIES.items()}
    if rank == 0:
        print(json.dumps(found))


def run() -> dict[str, Pair]:
    """Return the results of two processes, by library."""
    found = printed("examples.llama_modules.processes")
    return {name: Pair(*(Trained(*each) for each in pair)) for name, pair in found.items()}


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
