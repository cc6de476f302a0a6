"""Train each model with generated ops and with native ones: `python -m examples.text`."""

from __future__ import annotations

import argparse
import sys

from examples.text.plot import plot
from examples.text.run import FRAMEWORKS, Pair, train

COLUMNS = (
    *("", "held out, native", "ours", "curves apart", "ms a step, native", "ours"),
    *("MB, native", "ours", "graph breaks, native", "ours"),
)
# The largest allowed distance between smoothed loss curves, in nats. Curves of models that train
# differently are further apart.
NEAR = 0.05


def main() -> int:
    """Train all models, and print a table. Return 0 if the loss curves agree, and 1 if not."""
    parser = argparse.ArgumentParser(prog="python -m examples.text", description=__doc__)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--plot", metavar="FILE", help="draw the losses as a PNG")
    given = parser.parse_args()
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
    pairs = {}
    for name in FRAMEWORKS:
        pairs[name] = train(name, given.steps)
        print(row(name, pairs[name]), flush=True)
    if given.plot:
        plot(pairs, given.plot)
    return 0 if all(pair.apart < NEAR for pair in pairs.values()) else 1


def row(name: str, pair: Pair) -> str:
    runs = pair.native, pair.ours
    cells = [name, *(f"{run.held_out:.4f}" for run in runs), f"{pair.apart:.4f}"]
    cells += [f"{1e3 * run.seconds:.0f}" for run in runs]
    cells += [f"{run.kept / 1e6:.1f}" for run in runs]
    cells += ["-" if run.graph_breaks is None else str(run.graph_breaks) for run in runs]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
