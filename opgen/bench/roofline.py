"""Draw a roofline chart as SVG: `opgen bench --plot`, and the pages of the catalogue of ops.

A roofline compares the speed of calls with the limits of memory and arithmetic. See Williams,
Waterman and Patterson, Roofline: an insightful visual performance model, 2009.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from statistics import median

from opgen.bench.rows import Row

WIDTH, HEIGHT = 640, 340
LEFT, RIGHT, TOP, BOTTOM = 62, 16, 16, 44
# Free space, as factors of a logarithmic axis: ROOM around the points, BEYOND to the right of the
# ridge, where the two roofs meet.
ROOM, BEYOND = 2.0, 4.0
# The style of a chart in a file of its own. A page that contains a chart has a style sheet.
STYLE = """<style>
svg { background: white; font: 11px sans-serif; }
.grid { stroke: #ddd; fill: none; }
.roof { stroke: black; stroke-width: 1.5; fill: none; }
.mark { fill: #0072b2; stroke: #0072b2; stroke-width: 1.5; }
.hollow { fill: white; }
</style>"""


@dataclass(frozen=True)
class Point:
    """A call in the chart: operations per byte (`intensity`), operations per second (`rate`), title
    and shape of its mark.
    """

    intensity: float
    rate: float
    title: str
    square: bool = False
    hollow: bool = False


@dataclass(frozen=True)
class Roofs:
    """The machine's largest rates: bytes per second, and operations per second if known."""

    memory: float
    compute: float | None

    @property
    def ridge(self) -> float:
        """Return the operations per byte at which both rates limit a call equally."""
        return self.compute / self.memory if self.compute else 0.0


@dataclass(frozen=True)
class Axis:
    """A logarithmic axis that maps values from `low` to `high` to pixels from `first` to `last`."""

    low: float
    high: float
    first: float
    last: float

    def __call__(self, value: float) -> float:
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return round(self.first + share * (self.last - self.first), 1)

    @property
    def decades(self) -> list[int]:
        return list(range(math.ceil(math.log10(self.low)), math.floor(math.log10(self.high)) + 1))


def axes(points: Sequence[Point], roofs: Roofs) -> tuple[Axis, Axis]:
    """Return the x axis and the y axis of a chart that shows all points and both roofs."""
    left = min(p.intensity for p in points) / ROOM
    right = max(BEYOND * roofs.ridge, ROOM * max(p.intensity for p in points))
    low = min(*(p.rate for p in points), left * roofs.memory) / ROOM
    high = ROOM * max(*(p.rate for p in points), roofs.compute or right * roofs.memory)
    return Axis(left, right, LEFT, WIDTH - RIGHT), Axis(low, high, HEIGHT - BOTTOM, TOP)


def roofline(points: Sequence[Point], roofs: Roofs, label: str) -> str:
    """Return the chart as SVG. `points` must not be empty. `label` describes the chart for screen
    readers.
    """
    x, y = axes(points, roofs)
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    ridge = roofs.ridge or x.high
    top = ridge * roofs.memory
    fma = f"FMA {roofs.compute / 1e9:.0f} GFLOP/s; " if roofs.compute else ""
    parts = [
        f'<svg class="roofline" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">'
    ]
    for power in x.decades:
        at = x(10.0**power)
        parts.append(f'<path class="grid" d="M{at} {TOP}V{bottom}"/>')
        parts.append(
            f'<text x="{at}" y="{bottom + 16}" text-anchor="middle">{_number(power)}</text>'
        )
    for power in y.decades:
        at = y(10.0**power)
        parts.append(f'<path class="grid" d="M{LEFT} {at}H{right}"/>')
        parts.append(
            f'<text x="{LEFT - 6}" y="{at + 4}" text-anchor="end">{_number(power - 9)}</text>'
        )
    middle = (LEFT + right) / 2, (TOP + bottom) / 2
    parts += [
        f'<text x="{middle[0]}" y="{HEIGHT - 8}" text-anchor="middle">operations for each byte</text>',
        f'<text transform="translate(14 {middle[1]}) rotate(-90)" text-anchor="middle">GFLOP/s</text>',
        f'<path class="roof" d="M{x(x.low)} {y(x.low * roofs.memory)}L{x(ridge)} {y(top)}H{right}"/>',
        f'<text x="{right}" y="{y(top) - 6}" text-anchor="end">{fma}'
        f"slope: memcpy {roofs.memory / 1e9:.1f} GB/s</text>",
    ]
    parts += [_mark(p, x(p.intensity), y(p.rate)) for p in points]
    return "\n".join([*parts, "</svg>"])


def _number(power: int) -> str:
    return f"{10**power}" if power >= 0 else f"{10.0**power:.{-power}f}"


def _mark(point: Point, x: float, y: float) -> str:
    kind = "mark hollow" if point.hollow else "mark"
    shape = f'circle cx="{x}" cy="{y}" r="5"'
    if point.square:
        shape = f'rect x="{round(x - 4.5, 1)}" y="{round(y - 4.5, 1)}" width="9" height="9"'
    tag = shape.partition(" ")[0]
    return f'<{shape} class="{kind}"><title>{escape(point.title)}</title></{tag}>'


def plot(rows: Sequence[Row], file: Path, processor: object) -> bool:
    """Write the chart of a run as an SVG file. Return False if no call can be drawn.

    The chart has the calls that move 1 MiB or more and have a known number of operations. They are
    those of the device of the first such call.
    """
    calls = [(r, r.work.flops) for r in rows if r.work.flops and "memcpy" in r.rates]
    calls = [(r, flops) for r, flops in calls if r.device == calls[0][0].device]
    if not calls:
        return False
    points = []
    for row, flops in calls:
        rate = flops / row.seconds.median
        call = f"{row.op} {row.direction}, {row.framework}, {row.dtype} {row.size}"
        title = f"{call}: {rate / 1e9:.2f} GFLOP/s"
        shape = row.dtype == "bf16", row.direction != "forward"
        points.append(Point(flops / row.work.bytes, rate, title, *shape))
    memory, compute = (
        [r.rates[name].median for r, _ in calls if name in r.rates] for name in ("memcpy", "fma")
    )
    roofs = Roofs(median(memory), median(compute) if compute else None)
    text = roofline(points, roofs, f"Roofline: {len(points)} calls on {processor}")
    head, rest = text.split("\n", 1)
    standalone = head.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"')
    file.write_text(f"{standalone}\n{STYLE}\n{rest}\n", encoding="utf-8")
    return True
