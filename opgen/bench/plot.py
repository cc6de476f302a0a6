"""Plot the speed of all measured ops and the limits of this machine, as a roofline plot.

The left panel follows Williams, Waterman and Patterson, Roofline: an insightful visual performance
model, 2009. In this panel, ops that only move memory all lie close to the sloped line, so their
speeds are hard to compare. The right panel therefore shows the same calls as fractions of the rate
of a memcpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from opgen.bench.document import rates
from opgen.bench.rows import Row

# Okabe and Ito's colours, which colour-blind readers can distinguish.
COLORS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#000000",
    "#999933",
    "#882255",
    "#44AA99",
    "#B15928",
    "#6A3D9A",
)
MARKERS = {"f32": "o", "bf16": "s", "f16": "D", "f64": "^"}
OTHER_MARKER = "v"
# The memory rates in the plot, each with a line style.
ROOFS: dict[str, Literal[":", "--", "-"]] = {"stream": ":", "read": "--", "memcpy": "-"}


def plot(rows: Sequence[Row], file: Path, processor: object) -> None:
    """Write a PNG of the large calls of `rows`, or of all calls if no call is large."""
    large = [row for row in rows if row.rates] or list(rows)
    ops = list(dict.fromkeys(row.op for row in large))
    colors = {op: COLORS[n % len(COLORS)] for n, op in enumerate(ops)}
    bars = list(dict.fromkeys((r.op, r.framework, r.direction) for r in large))
    height = max(6.0, 1.8 + 0.24 * len(bars))
    figure, (roof, shares) = plt.subplots(
        1, 2, figsize=(15, height), width_ratios=(3, 2), layout="constrained"
    )
    machine = next(iter(rates(large).values()), {})
    _roofline(roof, large, colors, machine)
    _shares(shares, large, colors, bars)
    threads = ", ".join(sorted({f"{r.threads} threads on {r.device}" for r in large}))
    figure.suptitle(f"{processor}: {threads}", fontsize=11)
    figure.savefig(file, dpi=120, format="png")
    plt.close(figure)


def _roofline(
    axes: Axes, rows: Sequence[Row], colors: dict[str, Any], machine: dict[str, Any]
) -> None:
    points = [
        (row, row.work.intensity, row.work.flops / row.seconds.median / 1e9)
        for row in rows
        if row.work.intensity and row.work.flops
    ]
    lowest = min((intensity for _, intensity, _ in points), default=0.1) / 3
    if {"memcpy", "fma"} <= machine.keys():
        highest = 4 * machine["fma"] / machine["memcpy"]
        for name, style in ROOFS.items():
            _roof(axes, machine[name], machine["fma"], (lowest, highest), style)
        axes.annotate(
            f"FMA {machine['fma'] / 1e9:.0f} GFLOP/s",
            (highest, machine["fma"] / 1e9),
            xytext=(-4, 4),
            textcoords="offset points",
            ha="right",
            fontsize=8,
            color="0.35",
        )
    for row, intensity, gflops in points:
        _point(axes, row, intensity, gflops, colors)
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="operations for each byte moved (FLOP/B)",
        ylabel="attained GFLOP/s",
        title="Roofline: calls that move 1 MiB or more",
    )
    axes.set_box_aspect(0.85)
    axes.set_anchor("N")
    axes.grid(True, which="major", color="0.9")
    axes.set_axisbelow(True)
    axes.legend(
        handles=_legend(rows, colors, machine),
        fontsize=8,
        loc="lower right",
        ncols=2,
        framealpha=0.9,
    )


def _roof(axes: Axes, bandwidth: float, peak: float, ends: tuple[float, float], style: str) -> None:
    ridge = peak / bandwidth
    xs = [ends[0], ridge, ends[1]]
    axes.plot(
        xs,
        [min(x * bandwidth, peak) / 1e9 for x in xs],
        style,
        color="0.35",
        linewidth=1.2,
        zorder=1,
    )


def _point(axes: Axes, row: Row, x: float, y: float, colors: dict[str, Any]) -> None:
    color = colors[row.op]
    axes.plot(
        x,
        y,
        MARKERS.get(row.dtype, OTHER_MARKER),
        color=color,
        markersize=7,
        alpha=0.85,
        markerfacecolor=color if row.direction == "forward" else "white",
        markeredgewidth=1.3,
        linestyle="none",
    )


def _shares(
    axes: Axes, rows: Sequence[Row], colors: dict[str, Any], bars: Sequence[tuple[Any, ...]]
) -> None:
    """Draw a line for each op's forward and backward, with a point for each dtype and size."""
    places = {bar: n for n, bar in enumerate(bars)}
    dtypes = list(dict.fromkeys(row.dtype for row in rows))
    for row in rows:
        if "memcpy" in row.fractions:
            shift = 0.24 * (dtypes.index(row.dtype) - (len(dtypes) - 1) / 2)
            place = places[row.op, row.framework, row.direction] + shift
            _point(axes, row, row.fractions["memcpy"], place, colors)
    axes.axvline(1, color="0.35", linewidth=1.2, zorder=1)
    axes.set_yticks(
        range(len(bars)),
        [f"{op} {direction}, {framework}" for op, framework, direction in bars],
        fontsize=8,
    )
    axes.set(
        xlabel="bytes per second, as a share of memcpy's",
        title="Share of memcpy, a point for each size",
        ylim=(len(bars) - 0.4, -0.6),
        xlim=(0, None),
    )
    axes.grid(True, axis="both", color="0.9")
    axes.set_axisbelow(True)


def _legend(rows: Sequence[Row], colors: dict[str, Any], machine: dict[str, Any]) -> list[Line2D]:
    found = [
        Line2D(
            [],
            [],
            linestyle=s,
            color="0.35",
            linewidth=1.2,
            label=f"{n} {machine[n] / 1e9:.1f} GB/s",
        )
        for n, s in ROOFS.items()
        if n in machine
    ]
    found += [
        Line2D([], [], marker="o", linestyle="none", color=c, label=op) for op, c in colors.items()
    ]
    found += [
        Line2D([], [], marker=MARKERS.get(d, OTHER_MARKER), linestyle="none", color="0.4", label=d)
        for d in dict.fromkeys(row.dtype for row in rows)
    ]
    if any(row.direction != "forward" for row in rows):
        found.append(
            Line2D(
                [],
                [],
                marker="o",
                linestyle="none",
                color="0.4",
                markerfacecolor="white",
                label="with a backward",
            )
        )
    return found
