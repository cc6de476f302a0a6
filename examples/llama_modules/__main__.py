"""Train both Llamas of both libraries, and compare them: `python -m examples.llama_modules`."""

from __future__ import annotations

import sys

import jax

from examples.llama_jax import plain
from examples.llama_jax.compare import moved
from examples.llama_jax.train import train as train_plain
from examples.llama_modules import in_equinox, in_flax, processes
from examples.llama_modules.compare import LAYOUT, Pair, agree, compare, exact, no_more
from examples.llama_modules.parts import within_optax
from examples.llama_modules.train import train
from examples.small_llama import distance

LIBRARIES = {"Flax NNX": in_flax, "Equinox": in_equinox}
HEAD = "| | dtype | collectives | bytes | temporary bytes, native | ours | losses apart | to `jax.numpy` |"


def main() -> int:
    """Train all models. Return 0 if opgen's move and allocate no more bytes than native and the
    losses agree, else 1.
    """
    jax.config.update("jax_num_cpu_devices", 8)
    print(HEAD)
    print("|---|---|---|---|---|---|---|---|")
    fine, alone = True, {}
    for name, library in LIBRARIES.items():
        right = exact(library)
        for dtype in ("float32", "bfloat16"):
            pair = compare(library, dtype)
            print(row(name, dtype, pair), flush=True)
            fine &= no_more(pair) and agree(pair, right)
            alone[name, dtype] = pair
        chained = train(library.model, within_optax(library.RENDERED), LAYOUT, "float32")
        pair = Pair(chained, alone[name, "float32"].native)
        print(row(f"{name}, `adamw` in `optax.chain`", "float32", pair), flush=True)
        fine &= agree(pair, right)
    for name, pair in processes.run().items():
        print(row(f"{name}, two processes", "float32", pair), flush=True)
        fine &= no_more(pair)
    return 0 if fine else 1


def row(name: str, dtype: str, pair: Pair) -> str:
    counts, bytes = moved(pair.ours)
    text = ", ".join(f"{n} {kind}" for kind, n in sorted(counts.items()))
    without = train_plain(plain, LAYOUT, dtype).losses
    apart = (f"{distance(pair.ours.losses, each):.0e}" for each in (pair.native.losses, without))
    sizes = (f"{each.temporary:,}" for each in reversed(pair))
    return f"| {' | '.join((name, dtype, text, f'{bytes:,}', *sizes, *apart))} |"


if __name__ == "__main__":
    sys.exit(main())
