"""Write docs/hard_inputs.md from bench/hard_inputs.json: `python -m bench.hard_inputs_page`."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from textwrap import fill
from typing import Any

from bench.hard_inputs import DTYPES, MORE, Error, from_json, hard
from bench.markdown import table

ROOT = Path(__file__).parents[1]
# Lines of the form `op = "reason"`, for exactly the ops with a larger error than the native one.
REASONS = ROOT / "bench/larger_errors.toml"
MEASURED, PAGE = ROOT / "bench/hard_inputs.json", ROOT / "docs/hard_inputs.md"

HEAD = """\
# Errors on hard inputs, compared with native ops

This page compares the rounding errors of our ops with those of PyTorch's ops, on the same inputs. We compute the exact
values with the op's reference in float64. All runs are on the CPU. JAX runs the same kernels, so its results have the
same bits. `make accuracy` measured the errors on {date} and wrote this page ({processor}, PyTorch {torch}).
To measure one op, run `python -m bench.hard_inputs rms_norm`.

The unit of an error is the largest absolute value in the exact result, times the machine epsilon of the result's dtype.
Rounding the exact result causes an error of up to half a unit. The table shows the largest error of {draws} random draws,
or of {more} if our error is larger than PyTorch's. `inf` means that an element is wrongly infinite or NaN. The table
leaves out f64, because the float64 reference has errors of the same size.

| column | inputs |
|---|---|
| normal | 16 rows of 512 numbers from a normal distribution. Ops that do not work on rows get inputs with about as many numbers |
| huge, tiny | as normal, but the input with the most elements is multiplied by 1e30 or 1e-30 (in f16 by 3e3 or 1e-5) |
| zero rows | as normal, but half of the rows of the input with the most elements are zero |
| mean 100 | as normal, but 100 is added to the input with the most elements |
| long rows | as normal, but 2 rows of 65536 numbers, or inputs with about as many numbers; for attention, a sequence of 1024 tokens |

Each cell shows our error / PyTorch's error. If an op has several results and gradients, the cell shows the one for
which our error is largest.
"""
WORSE = """
## Larger errors than native

{count} of {all} results has an error of more than 1 unit that is also more than 1.25 times PyTorch's error. PyTorch's
errors depend on the processor. On an Intel Xeon with AVX-512, the error of `grouped_gemm`'s `da` in f32 was 1.7 to 2.4
times PyTorch's. In this measurement each group has two rows. For so few rows, MKL in PyTorch splits each sum into
shorter sums. Our kernel does not split sums, because the bits of a row would then depend on the number of rows.
"""


def reasons() -> dict[str, str]:
    """Return the reasons why ops have larger errors than native functions, by op name."""
    return tomllib.loads(REASONS.read_text())


def page(whole: dict[str, Any]) -> str:
    """Return the text of docs/hard_inputs.md, from the content of bench/hard_inputs.json."""
    found = from_json(whole)
    here = whole["machine"]
    head = HEAD.format(
        date=whole["date"],
        processor=here["processor"],
        torch=here["packages"]["torch"],
        draws=whole["draws"],
        more=MORE,
    )
    inputs = tuple(hard("f32"))
    rows = []
    largest: dict[tuple[str, str, str], Error] = {}
    for each in found:
        place = each.op, each.dtype, each.inputs
        if place not in largest or largest[place].ours < each.ours:
            largest[place] = each
    ops = dict.fromkeys(each.op for each in found)
    for op in sorted(ops):
        for dtype in DTYPES:
            cells = [largest.get((op, dtype, each)) for each in inputs]
            if any(cells):
                rows.append((f"`{op}`", dtype, *map(_cell, cells)))
    worse = [each for each in found if each.worse]
    lines = [
        head,
        table(("op", "dtype", *inputs), rows),
        WORSE.format(count=len(worse), all=len(found)),
    ]
    if worse:
        rows = [
            (f"`{e.op}`", e.dtype, e.inputs, e.result, _number(e.ours), _number(e.native))
            for e in worse
        ]
        lines += [table(("op", "dtype", "inputs", "result", "ours", "native"), rows), ""]
        lines += [
            fill(f"* `{op}`: {reason}", 120, subsequent_indent="  ", break_on_hyphens=False)
            for op, reason in reasons().items()
        ]
    return "\n".join(lines) + "\n"


def _cell(found: Error | None) -> str:
    return "" if found is None else f"{_number(found.ours)} / {_number(found.native)}"


def _number(error: float) -> str:
    return f"{error:.2f}" if error < 1000 else f"{error:.0e}".replace("e+", "e")


if __name__ == "__main__":
    PAGE.write_text(page(json.loads(MEASURED.read_text())))
