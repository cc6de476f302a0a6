"""Train the Llama with opgen's and with plain ops in every layout: `python -m examples.llama_jax`."""

from __future__ import annotations

import sys
from dataclasses import replace

import jax

from examples.llama_jax.compare import Pair, agree, compare, exact, moved, no_more
from examples.llama_jax.layouts import KINDS, LAYOUTS, Layout
from examples.small_llama import distance

DEVICES = 8


def main() -> int:
    """Train both models in every layout. Return 0 if opgen's moves no more bytes than plain
    jax.numpy and the losses agree, else 1.
    """
    jax.config.update("jax_num_cpu_devices", DEVICES)
    right = exact()
    print(
        "| layout | mesh | collectives, plain | ours | bytes, plain | ours | f32 losses apart | bf16 |"
    )
    print("|---|---|---|---|---|---|---|---|")
    fine = True
    for name, layout in LAYOUTS.items():
        for kind in KINDS:
            wide, narrow = (compare(replace(layout, kind=kind), t) for t in ("float32", "bfloat16"))
            print(line(name, kind, layout, wide, narrow), flush=True)
            fine &= all(no_more(p) and agree(p, right) for p in (wide, narrow))
    return 0 if fine else 1


def line(name: str, kind: str, layout: Layout, wide: Pair, narrow: Pair) -> str:
    """Return a row of the table. The bytes are those of the f32 program (`wide`); `narrow` is the
    bf16 program.
    """
    (ours, bytes), (plain, most) = map(moved, wide)
    mesh = "x".join(map(str, layout.sizes.values()))
    counts = (", ".join(f"{n} {kind}" for kind, n in sorted(c.items())) for c in (plain, ours))
    apart = (f"{distance(p.ours.losses, p.plain.losses):.0e}" for p in (wide, narrow))
    cells = f"{name}, {mesh}", kind, *counts, f"{most:,}", f"{bytes:,}", *apart
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
