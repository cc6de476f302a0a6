"""Print benchmark results in a terminal: each row when it is measured, and a summary at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from opgen.bench.document import rates
from opgen.bench.rows import OVERHEAD, SLACK, Row
from opgen.bench.table import duration

UNITS = {"memcpy": "GB/s", "stream": "GB/s", "read": "GB/s", "fma": "GFLOP/s", "exp": "Gexp/s"}
COLUMNS = (
    f"  {'':16} {'dtype':5} {'size':>10} {'time':>10} {'+-':>5} {'GB/s':>7} {'GFLOP/s':>8}  "
    f"{'memcpy':>6} {'read':>5} {'fma':>5} {'exp':>5}   time over that of"
)


class Table:
    """A printer of rows, with a heading for each op, framework and device."""

    def __init__(self, print: Callable[[str], None]) -> None:
        self._print = print
        self._heading = ""

    def add(self, row: Row) -> None:
        threads = f"{row.threads} thread{'s' if row.threads > 1 else ''}"
        heading = f"{row.op}: {row.framework} on {row.device}, {threads}"
        if heading != self._heading:
            self._print(f"{heading}\n{COLUMNS}" if not self._heading else f"\n{heading}\n{COLUMNS}")
            self._heading = heading
        self._print(line(row))


def line(row: Row) -> str:
    """Format a row: the time, half its interquartile range in percent, rates, fractions and peers.

    Each fraction is the op's rate divided by a rate of the machine.
    """
    seconds = row.seconds.median
    spread = (row.seconds.high - row.seconds.low) / 2 / seconds
    flops = "-" if not row.work.flops else f"{row.work.flops / seconds / 1e9:.2f}"
    shares = "".join(
        f" {f'{row.fractions[name]:.2f}' if name in row.fractions else '-':>{width}}"
        for name, width in (("memcpy", 6), ("read", 5), ("fma", 5), ("exp", 5))
    )
    peers = ", ".join(
        f"{name} {peer.ratio.median:.2f} ({peer.ratio.low:.2f} to {peer.ratio.high:.2f})"
        for name, peer in row.peers.items()
    )
    return (
        f"  {row.direction:16} {row.dtype:5} {row.size:>10} {duration(seconds):>10} {spread:>5.0%}"
        f" {row.work.bytes / seconds / 1e9:>7.2f} {flops:>8} {shares}   {peers}"
    )


def closing(rows: Sequence[Row]) -> str:
    """Return the closing lines: the machine's rates, and the calls in which a peer is faster."""
    lines = [""]
    for device, found in rates(rows).items():
        shown = (f"{name} {rate / 1e9:.1f} {UNITS[name]}" for name, rate in found.items())
        lines.append(f"{device} in this run: {', '.join(shown)}")
    behind = [(row, row.fastest) for row in rows if row.behind and row.fastest]
    compared = [row for row in rows if row.peers]
    lines.append(
        f"{len(behind)} of {len(compared)} calls are behind their fastest peer by more than "
        f"{SLACK - 1:.0%} (of less than 1 MiB: also by more than {OVERHEAD * 1e6:.1f} us)"
    )
    for row, (name, peer) in behind:
        gap = (
            f"{duration(row.seconds.median - peer.seconds.median).strip()} more"
            if row.small
            else f"{peer.ratio.median:.2f} times"
        )
        lines.append(
            f"  {row.op} {row.direction}, {row.framework}, {row.dtype} {row.size}: {gap} than {name}".replace(
                "times than", "times the time of"
            )
        )
    return "\n".join(lines) + "\n"
