"""Train the Llama with opgen's and native ops in every layout: `python -m examples.llama_torch`."""

from __future__ import annotations

import sys
from functools import cache

from examples.llama_torch.compare import Pair, agree, compare, no_more
from examples.llama_torch.layouts import LAYOUTS, Layout
from examples.llama_torch.train import Trained, exact
from examples.small_llama import distance

SHORT = {
    "all_gather": "gather",
    "all_reduce": "reduce",
    "reduce_scatter": "scatter",
    "all_to_all": "exchange",
    "shard_dim_alltoall": "exchange",
    "broadcast": "broadcast",
}


def main(chosen: list[str]) -> int:
    """Train both models in every layout, or only in the layouts in `chosen`.

    Return 0 if the model with opgen's ops moves no more bytes than the native one and the losses
    agree, else 1.
    """
    print("| layout | mesh | collectives, native | ours | bytes, native | ours | losses apart |")
    print("|---|---|---|---|---|---|---|")
    fine, right = True, cache(exact)
    for name in chosen or LAYOUTS:
        layout = LAYOUTS[name]
        pair = compare(layout)
        print(line(name, layout, pair), flush=True)
        fine &= no_more(pair) and agree(pair, right(layout.parts))
    return 0 if fine else 1


def line(name: str, layout: Layout, pair: Pair) -> str:
    """Return a row of the table for one layout."""
    ours, native = pair
    mesh = "x".join(map(str, layout.sizes.values()))
    apart = f"{distance(ours.losses, native.losses):.0e}"
    cells = name, mesh, counts(native), counts(ours), f"{native.bytes:,}", f"{ours.bytes:,}", apart
    return f"| {' | '.join(cells)} |"


def counts(run: Trained) -> str:
    kinds: dict[str, int] = {}
    for name, number in run.collectives.items():
        kind = next(short for prefix, short in SHORT.items() if name.startswith(prefix))
        kinds[kind] = kinds.get(kind, 0) + number
    return ", ".join(f"{kinds[kind]} {kind}" for kind in sorted(kinds))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
