"""Add the measurements in bench/figures.json to the catalogue of ops. docs/conf.py calls this
module when it builds the site.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from statistics import median, mode
from typing import Any

from bench.figures import MOST_FLOPS, Figure, read, reasons
from bench.markdown import table
from opgen.bench.command import FRAMEWORKS
from opgen.bench.roofline import Point, Roofs, roofline
from opgen.bench.rows import OVERHEAD, SLACK, SMALL
from opgen.bench.sizes import SIZES, Size
from opgen.bench.table import duration

TITLES = {"torch": "PyTorch", "jax": "JAX"}
# The start of the last line of an op's page.
END = "Rendered by opgen from"
COLUMNS = (
    "direction",
    "dtype",
    "size",
    "on",
    "time",
    "GB/s",
    "of memcpy",
    "fastest alternative",
    "time over its",
)

ABOUT = """\
An op's time over that of the fastest alternative in that framework, from the best of its calls
to the worst, of those that move 1 MiB or more. Alternatives are the ops that it replaces and its reference, in PyTorch
as it is and under `torch.compile`, in JAX under `jit`; below 1 the op is faster. Each op's page has all of its calls.
Measured on {date} with `make figures` ({processors}; {threads} threads, PyTorch {torch}, JAX {jax}); [how](../benchmarks.md).
"""
ROOFS = """\
Filled: forward. Hollow: with a backward. Circles: f32. Squares: bf16. The line is what this machine does at most for so
many operations a byte: `memcpy` at the left, multiply-adds at the right. An op that moves memory can be no faster than
the slope, but for what it finds in caches or writes past them.
"""
BEHIND = f"""\
In bold: the alternative is faster, by more than {SLACK - 1:.0%} (where less than 1 MiB is moved, also by more than
{OVERHEAD * 1e6:.1f} us). Why:"""
ALONE = """\
Where no alternative stands, none gives what the op gives up to rounding, finds the memory that it asks for, is ready \
within two minutes and takes less than 5 s a call."""
LEFT = f"""\
a forward has more than {MOST_FLOPS / 1e12:g}e12 operations there, and a call of some alternatives takes half a minute."""


def catalogue(
    index: str, here: Mapping[str, Any], figures: Sequence[Figure], within: Mapping[str, str]
) -> str:
    """Return the catalogue's index page, with a table of times relative to the replaced ops, and a
    roofline.
    """
    head, ops = index.rstrip().split("\n\n", 1)
    rows = []
    for line in ops.splitlines():
        if not line.startswith("| [`"):
            continue
        link, *_, replaced = (cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1])
        name = link.split("`")[1]
        cells = [_range(figures, name, each) for each in FRAMEWORKS]
        if within.get(name, name) not in {name, *within}:
            cells = [f"with `{within[name]}`", ""]
        elif not any(cells):
            cells = ["not measured", ""]
        rows.append((link, replaced, *cells))
    text = f"{head}\n\n:::{{container}} catalogue\n\n{ops}\n\n:::\n\n## Figures\n"
    if not figures:
        return f"{text}\nNothing is measured yet: `make figures`.\n"
    said = ABOUT.format(
        date=_dates(figures),
        processors=" and ".join(sorted({_short(f.processor) for f in figures})),
        threads=figures[0].threads,
        torch=here["packages"]["torch"],
        jax=here["packages"]["jax"],
    )
    shown = [f for f in figures if f.framework == "torch" and f.rates]
    listed = table(("op", "instead of", *TITLES.values()), rows)
    return f"{text}\n{said}\n{listed}\n{_picture(shown, 'all ops in PyTorch', name=True)}"


def section(op: str, figures: Sequence[Figure]) -> str:
    """Return the section "Figures" of an op's page, or an empty string if the op has no figures."""
    found = [f for f in figures if f.op == op]
    if not found:
        return ""
    parts = [
        f"## Figures\n\nMeasured on {_dates(found)}; [what was compared, and how](../benchmarks.md).\n"
    ]
    for framework in FRAMEWORKS:
        rows = [_cells(f) for f in found if f.framework == framework]
        if rows:
            head = (f"in {TITLES[framework]}", *COLUMNS[1:])
            parts.append(table(head, rows) + "\n")
    calls = {f.size: _given(f) for f in found}
    parts.append(table(("size", "is a call with"), calls.items()) + "\n")
    drawn = [f for f in found if f.framework == "torch"]
    if any(f.behind for f in found):
        parts.append(f"{BEHIND} {reasons()[op]}\n")
    if not all(f.peers for f in found):
        parts.append(f"{ALONE}\n")
    left = {str(Size(*each)) for each in SIZES} - {f.size for f in found}
    if left:
        parts.append(f"Not measured at {', '.join(sorted(left))}: {LEFT}\n")
    return "\n".join(parts) + _picture(drawn, f"`{op}` in PyTorch")


def _given(f: Figure) -> str:
    """Return the sizes, the attrs and the absent inputs of a call as text."""
    pairs = {**f.given["sizes"], **f.given["attrs"]}
    texts = [f"`{name} = {json.dumps(value)}`" for name, value in pairs.items()]
    return ", ".join([*texts, *(f"no `{name}`" for name in f.given["absent"])])


def with_section(page: str, op: str, figures: Sequence[Figure]) -> str:
    """Return the rendered page of an op, with the section "Figures" before its last line."""
    before, end, after = page.rpartition(END)
    found = section(op, figures)
    return f"{before}{found}\n{end}{after}" if found else page


def large(figures: Iterable[Figure]) -> list[Figure]:
    """Return the calls that move enough bytes not to be dominated by overhead, or all calls if none
    does.
    """
    found = list(figures)
    return [f for f in found if f.bytes >= SMALL] or found


def _range(figures: Sequence[Figure], op: str, framework: str) -> str:
    """Return the lowest and highest ratio of our time to the fastest peer's, in large calls, as
    text.
    """
    calls = large(f for f in figures if (f.op, f.framework) == (op, framework))
    ratios = sorted(f.fastest[1] for f in calls if f.fastest)
    if not ratios:
        return ""
    low, high = f"{ratios[0]:.2f}", f"{ratios[-1]:.2f}"
    return low if low == high else f"{low} to {high}"


def _cells(f: Figure) -> tuple[str, ...]:
    share = f"{f.bytes / f.seconds / f.rates['memcpy']:.2f}" if "memcpy" in f.rates else ""
    name, ratio = f.fastest or ("", None)
    return (
        f.direction,
        f.dtype,
        f.size,
        _short(f.processor),
        duration(f.seconds).strip().replace(" ", "\u00a0"),
        f"{f.bytes / f.seconds / 1e9:.2f}",
        share,
        name,
        "" if ratio is None else f"**{ratio:.2f}**" if f.behind else f"{ratio:.2f}",
    )


def _picture(figures: Sequence[Figure], of: str, *, name: bool = False) -> str:
    """Return a section with a roofline of the calls with known operations, or an empty string.

    `of` names the calls in the title. With `name`, each point shows its op. The picture shows the
    roofs of only one processor: the one with the most calls.
    """
    calls = [f for f in figures if f.flops and {"memcpy", "fma"} <= f.rates.keys()]
    if not calls:
        return ""
    processor = mode(f.processor for f in calls)
    calls = [f for f in calls if f.processor == processor]
    points = [
        Point(
            f.flops / f.bytes,
            f.flops / f.seconds,
            f"{f'{f.op} ' if name else ''}{f.direction} {f.dtype} {f.size}: {f.flops / f.seconds / 1e9:.2f} GFLOP/s",
            square=f.dtype == "bf16",
            hollow=f.direction != "forward",
        )
        for f in calls
        if f.flops
    ]
    roofs = Roofs(*(median(f.rates[rate] for f in calls) for rate in ("memcpy", "fma")))
    label = f"Roofline: {len(points)} calls of {of.replace('`', '')} on {_short(processor)}"
    return f"\n### Roofline of {of}, on {_short(processor)}\n\n{ROOFS}\n```{{raw}} html\n{roofline(points, roofs, label)}\n```\n"


def _dates(figures: Iterable[Figure]) -> str:
    dates = sorted({f.date for f in figures})
    return dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"


def _short(processor: str) -> str:
    """Return a processor's name without "(R)" and "Processor"."""
    return processor.replace("(R)", "").replace(" Processor", "")


def with_figures(pages: Mapping[str, str], within: Mapping[str, str]) -> dict[str, str]:
    """Return the catalogue's pages with their figures, by file name. `_index.md` is the index page.

    `within` maps an op that is measured as the backward of another op to that op.
    """
    here, figures = read()
    return {
        name: (
            catalogue(text, here, figures, within)
            if name == "_index.md"
            else with_section(text, name.removesuffix(".md"), figures)
        )
        for name, text in pages.items()
    }
