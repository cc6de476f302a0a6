"""docs/hard_inputs.md from bench/hard_inputs.json: `python -m bench.hard_inputs_page`."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from pathlib import Path
from textwrap import fill
from typing import Any

from bench.hard_inputs import DTYPES, MORE, Error, from_json, hard

ROOT = Path(__file__).parents[1]
# op = "reason", for exactly the ops that have such a result.
REASONS = ROOT / "bench/larger_errors.toml"
MEASURED, PAGE = ROOT / "bench/hard_inputs.json", ROOT / "docs/hard_inputs.md"

HEAD = """\
# Errors on hard inputs, compared with native ops

How far are results and gradients from the op's reference in float64, and how far is PyTorch's own op on the same
inputs? All runs are on the CPU. JAX runs the same kernels, with the same bits. `make accuracy` wrote this page; it
measured on {date}: {processor}, PyTorch {torch}. `python -m bench.hard_inputs rms_norm` measures one op.

An error is the largest difference, in units of the largest exact element times the epsilon of the result's dtype.
Rounding the exact result costs up to half a unit. The table has the largest of {draws} draws, or of {more} if ours
would be larger. `inf` is a result that is wrongly infinite or NaN. f64 is left out, since the reference's errors are as
large.

| inputs | are |
|---|---|
| normal | 16 rows of 512 normal numbers; or the sizes for 16x512 of the table of peers |
| huge, tiny | the largest input times 1e30, 1e-30 (f16: 3e3, 1e-5) |
| zero rows | half of its rows zero |
| mean 100 | 100 added to it |
| long rows | 2 rows of 65536, or the sizes for 2x4096; of attention, a sequence of 1024 |

Each cell shows ours / native, for the result or gradient with our largest error.
"""
WORSE = """
## Larger errors than native

{count} of {all} results have an error of more than 1 unit and more than 1.25 of native's. Native errors depend on the
processor. On an Intel Xeon with AVX-512, MKL adds up shorter sums for the two rows of each group of `grouped_gemm`.
There our `da` in f32 was 1.7 to 2.4 times as far off. Shorter sums for few rows would change a row's bits next to
other rows.
"""


def reasons() -> dict[str, str]:
    """Return the reasons why an op's errors are larger than native errors, by op name."""
    return tomllib.loads(REASONS.read_text())


def page(whole: dict[str, Any]) -> str:
    """Return the page of the measurements."""
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
    lines = [head, _row(("op", "dtype", *inputs)), _row(["---"] * (2 + len(inputs)))]
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
                lines.append(_row((f"`{op}`", dtype, *map(_cell, cells))))
    worse = [each for each in found if each.worse]
    lines.append(WORSE.format(count=len(worse), all=len(found)))
    if worse:
        lines += [_row(("op", "dtype", "inputs", "result", "ours", "native")), _row(["---"] * 6)]
        lines += [
            _row((f"`{e.op}`", e.dtype, e.inputs, e.result, _number(e.ours), _number(e.native)))
            for e in worse
        ]
        lines.append("")
        lines += [
            fill(f"* `{op}`: {reason}", 120, subsequent_indent="  ", break_on_hyphens=False)
            for op, reason in reasons().items()
        ]
    return "\n".join(lines) + "\n"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |".replace("| --- ", "|---").replace("--- |", "---|")


def _cell(found: Error | None) -> str:
    return "" if found is None else f"{_number(found.ours)} / {_number(found.native)}"


def _number(error: float) -> str:
    return f"{error:.2f}" if error < 1000 else f"{error:.0e}".replace("e+", "e")


if __name__ == "__main__":
    PAGE.write_text(page(json.loads(MEASURED.read_text())))
