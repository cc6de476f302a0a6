"""Train Llamas with native and with opgen's ops in all modes, and compare: `python -m
examples.llama`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from examples.llama.parallel import LAYOUTS, Run, trained
from examples.llama.train import DTYPES, losses_of
from examples.small_llama import agree, distance


def main() -> int:
    """Train both models in every mode, and print their losses. Return 0 if the losses agree, and 1
    if not.
    """
    exact = losses_of(ours=False, dtype="f64")
    print(f"float64, native: {exact[0]:.6f} to {exact[-1]:.6f}\n")
    print("mode           dtype  last loss  native - exact  ours - exact  ours - native")
    agreed = True
    split = {layout: trained(layout) for layout in LAYOUTS}
    in_four = [
        (mode, {name: run.losses for name, run in runs.items()}) for mode, runs in split.items()
    ]
    for mode, losses in [*modes(), *in_four]:
        for dtype in DTYPES:
            native, ours = losses[f"native, {dtype}"], losses[f"ours, {dtype}"]
            found = [distance(*each) for each in ((native, exact), (ours, exact), (ours, native))]
            print(
                f"{mode:13}  {dtype:5}  {ours[-1]:9.6f}  {found[0]:14.1e}  {found[1]:12.1e}  {found[2]:13.1e}"
            )
            agreed &= agree(ours, native, exact)
    print("\nin four processes              ms a step  kept, kB  moved, kB  collectives")
    for mode, runs in split.items():
        for name, run in runs.items():
            print(line(f"{mode}, {name}", run))
    return 0 if agreed else 1


def modes() -> Iterator[tuple[str, dict[str, list[float]]]]:
    """Yield each mode that needs one process, with the losses of each implementation and dtype."""
    kinds = [
        (f"{name}, {dtype}", name == "ours", dtype)
        for name in ("native", "ours")
        for dtype in DTYPES
    ]
    for mode, *options in (
        ("eager", None),
        ("checkpointed", None, True),
        ("compiled", "inductor"),
    ):
        yield mode, {name: losses_of(ours, dtype, *options) for name, ours, dtype in kinds}


def line(name: str, run: Run) -> str:
    """Return a row of the table: a step's time, the bytes that it saves, and the bytes that the
    first process receives.
    """
    counts = ", ".join(f"{n} {kind}" for kind, n in sorted(run.collectives.items()))
    kept, moved = (each / 1e3 for each in (run.kept, run.moved))
    return f"{name:29}  {run.seconds * 1e3:9.1f}  {kept:8.1f}  {moved:9.1f}  {counts}"


if __name__ == "__main__":
    sys.exit(main())
