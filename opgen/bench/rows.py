"""The measurement of one call, as a row of the table and of the JSON file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, field
from typing import Any

from opgen.bench.harness import Spread
from opgen.bench.work import Work
from opgen.source.frozen import dataclass
from opgen.testing.environment import Case

MIB = 2**20
# A call that moves fewer bytes is measured for its overhead only, since no machine rate limits it.
SMALL = MIB
# An op may be slower than its fastest peer by this factor. If a call moves fewer bytes than
# `SMALL`, the difference must also exceed `OVERHEAD` seconds to count.
SLACK = 1.05
OVERHEAD = 0.6e-6


def is_behind(bytes_moved: int, seconds: float, peer: float, ratio: float) -> bool:
    """Return whether an op is clearly slower than a peer. `ratio` is its time / the peer's."""
    return ratio > SLACK and (bytes_moved >= SMALL or seconds - peer > OVERHEAD)


@dataclass(frozen=True)
class Peer:
    """A peer's seconds per call, and the op's time divided by the peer's time."""

    seconds: Spread
    ratio: Spread


@dataclass(frozen=True)
class Row:
    """The measurement of an op's forward or backward in one framework, dtype and size."""

    # The op, the direction (such as "forward" or "backward"), and the framework.
    op: str
    direction: str
    framework: str
    # The device that ran the call.
    device: str
    # The dtype and the size of the call.
    dtype: str
    size: str
    # The number of threads of the process.
    threads: int
    # The bytes, operations and function calls that the call requires.
    work: Work
    # The call's time, and its ratio to the time of a fixed program (the yardstick) in this run.
    seconds: Spread
    relative: Spread
    # The rates of this machine, measured between the calls, per second. The rates memcpy, stream
    # and read are in bytes, fma is in floating-point operations, and exp is in calls. A small call
    # has no rates.
    rates: Mapping[str, Spread]
    # The alternatives to the op, with their times.
    peers: Mapping[str, Peer]
    # The data of the call: dtypes, sizes, attrs, and the absent inputs.
    call: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, ...]:
        """Return a key that is the same for this measurement in each run."""
        return (
            self.op,
            self.direction,
            self.framework,
            self.device,
            self.dtype,
            self.size,
            str(self.threads),
        )

    @property
    def small(self) -> bool:
        return self.work.bytes < SMALL

    @property
    def fractions(self) -> Mapping[str, float]:
        """Return, for each rate that is known, the op's rate divided by the machine's rate."""
        attained = {
            "memcpy": self.work.bytes,
            "stream": self.work.bytes,
            "read": self.work.bytes,
            "fma": self.work.flops,
            "exp": self.work.transcendentals,
        }
        return {
            name: amount / self.seconds.median / self.rates[name].median
            for name, amount in attained.items()
            if amount and name in self.rates
        }

    @property
    def fastest(self) -> tuple[str, Peer] | None:
        """Return the peer that takes the least time."""
        return min(self.peers.items(), key=lambda item: item[1].seconds.median, default=None)

    @property
    def behind(self) -> bool:
        """Return whether the op is slower than the fastest peer by more than the factor `SLACK`.

        A small call must also be slower by more than `OVERHEAD` seconds.
        """
        if self.fastest is None:
            return False
        _, peer = self.fastest
        return is_behind(
            self.work.bytes, self.seconds.median, peer.seconds.median, peer.ratio.median
        )


def call_of(case: Case) -> dict[str, Any]:
    """Return a call as data that JSON can represent."""
    given = {"dtypes": case.dtypes, "sizes": case.sizes, "attrs": case.attrs}
    return {**{name: dict(pairs) for name, pairs in given.items()}, "absent": list(case.absent)}


def case_of(call: Mapping[str, Any]) -> Case:
    """Return the `Case` for data that `call_of` returned, even after it was stored as JSON."""
    dtypes, sizes, attrs = (tuple(_frozen(call[n]).items()) for n in ("dtypes", "sizes", "attrs"))
    return Case(dtypes, sizes, attrs, tuple(call["absent"]))


def _frozen(value: Any) -> Any:
    """Return plain data with tuples instead of lists."""
    if isinstance(value, Mapping):
        return {name: _frozen(each) for name, each in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value


def to_json(row: Row) -> dict[str, Any]:
    """Return the row as data for JSON, with the fractions of the machine's rates."""
    return {**asdict(row), "fractions": dict(row.fractions)}


def from_json(data: Mapping[str, Any]) -> Row:
    """Return the row that `to_json` wrote. Raises KeyError or TypeError for other data."""
    fields = {name: value for name, value in data.items() if name != "fractions"}
    fields |= {
        "work": Work(**data["work"]),
        "seconds": Spread(**data["seconds"]),
        "relative": Spread(**data["relative"]),
        "rates": {n: Spread(**s) for n, s in data["rates"].items()},
        "peers": {
            n: Peer(Spread(**p["seconds"]), Spread(**p["ratio"])) for n, p in data["peers"].items()
        },
    }
    return Row(**fields)
