"""Draw a roofline chart as SVG. The page that contains the SVG defines its colours.

A roofline compares the speed of calls with the limits of memory and arithmetic. See Williams,
Waterman and Patterson, Roofline: an insightful visual performance model, 2009.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 640, 340
LEFT, RIGHT, TOP, BOTTOM = 62, 16, 16, 44
# Free space, as factors of a logarithmic axis: ROOM around the points, BEYOND to the right of the
# ridge, where the two roofs meet.
ROOM, BEYOND = 2.0, 4.0


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
    """The machine's largest rates: `memory` in bytes per second, and `compute` in operations per
    second.
    """

    memory: float
    compute: float

    @property
    def ridge(self) -> float:
        return self.compute / self.memory


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
    high = ROOM * max(*(p.rate for p in points), roofs.compute)
    return Axis(left, right, LEFT, WIDTH - RIGHT), Axis(low, high, HEIGHT - BOTTOM, TOP)


def roofline(points: Sequence[Point], roofs: Roofs, label: str) -> str:
    """Return the chart as SVG. `points` must not be empty. `label` describes the chart for screen
    readers.
    """
    x, y = axes(points, roofs)
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
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
        f'<path class="roof" d="M{x(x.low)} {y(x.low * roofs.memory)}'
        f'L{x(roofs.ridge)} {y(roofs.compute)}H{right}"/>',
        f'<text x="{right}" y="{y(roofs.compute) - 6}" text-anchor="end">'
        f"FMA {roofs.compute / 1e9:.0f} GFLOP/s; slope: memcpy {roofs.memory / 1e9:.1f} GB/s</text>",
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
