"""Train with Flax NNX and Equinox over two processes, each of which has half of the devices.

`python -m examples.llama_modules.processes RANK ADDRESS` runs one of the two processes. The first
process prints the results.
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
    """Run both processes, and return their results by library."""
    found = printed("examples.llama_modules.processes")
    return {name: Pair(*(Trained(*each) for each in pair)) for name, pair in found.items()}


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
