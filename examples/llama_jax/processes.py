"""Train one layout over two processes, each of which has half of the devices.

`python -m examples.llama_jax.processes RANK ADDRESS` runs one of the two processes. The first
process prints the results.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from dataclasses import replace
from typing import Any

import jax

from examples.llama_jax.compare import Pair, compare
from examples.llama_jax.layouts import KINDS, LAYOUTS
from examples.llama_jax.train import Trained

LAYOUT = "FSDP x TP+SP"
PROCESSES, DEVICES = 2, 8


def main(rank: int, address: str) -> None:
    join(rank, address)
    pairs = (compare(replace(LAYOUTS[LAYOUT], kind=k), "float32") for k in KINDS)
    found = dict(zip(KINDS, pairs))
    if rank == 0:
        print(json.dumps(found))


def join(rank: int, address: str) -> None:
    """Connect this process with the other process at `address`."""
    jax.config.update("jax_num_cpu_devices", DEVICES // PROCESSES)
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(address, PROCESSES, rank)


def run() -> dict[str, Pair]:
    """Run both processes, and return their results by the kind of mesh."""
    found = printed("examples.llama_jax.processes")
    return {kind: Pair(*(Trained(*run) for run in pair)) for kind, pair in found.items()}


def printed(module: str) -> Any:
    """Run `module` in two processes. Return the last line that the first process prints, parsed as
    JSON.
    """
    with socket.socket() as free:
        free.bind(("localhost", 0))
        address = f"localhost:{free.getsockname()[1]}"
    command = [sys.executable, "-m", module]
    started = [
        subprocess.Popen(
            [*command, str(rank), address],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(PROCESSES)
    ]
    try:
        done = [process.communicate(timeout=300) for process in started]
    finally:
        for process in started:
            process.kill()
    if any(process.returncode for process in started):
        raise RuntimeError("\n".join(errors[-3000:] for _, errors in done))
    return json.loads(done[0][0].splitlines()[-1])


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
