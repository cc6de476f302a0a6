"""Train Llama native and swapped in every mode, and compare: `python -m examples.llama`."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from examples.llama.train import losses_of
from examples.small_llama import agree, distance

DTYPES = ("f32", "bf16")
PROCESSES = 4


def main() -> int:
    """0 where the losses agree in every mode; 1 where not."""
    exact = losses_of(ours=False, dtype="f64")
    print(f"float64, native: {exact[0]:.6f} to {exact[-1]:.6f}\n")
    print("mode          dtype  last loss  native - exact  ours - exact  ours - native")
    agreed = True
    for mode, losses in modes():
        for dtype in DTYPES:
            native, ours = losses[f"native, {dtype}"], losses[f"ours, {dtype}"]
            found = [distance(*each) for each in ((native, exact), (ours, exact), (ours, native))]
            print(
                f"{mode:12}  {dtype:5}  {ours[-1]:9.6f}  {found[0]:14.1e}  {found[1]:12.1e}  {found[2]:13.1e}"
            )
            agreed &= agree(ours, native, exact)
    return 0 if agreed else 1


def modes():
    """Each mode, and the losses of it by implementation and dtype."""
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
    yield "FSDP2 x TP", distributed()


def distributed() -> dict[str, list[float]]:
    """The losses of four processes, which are the same batches."""
    command = [sys.executable, "-m", "examples.llama.parallel"]
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "store")
        processes = [
            subprocess.Popen([*command, str(rank), store], stdout=subprocess.PIPE, text=True)
            for rank in range(PROCESSES)
        ]
        printed = [process.communicate()[0] for process in processes]
    if any(process.returncode for process in processes):
        raise SystemExit("a process failed")
    return json.loads(printed[0])


if __name__ == "__main__":
    sys.exit(main())
