"""The tunable values of a kernel, and the values that `opgen tune` chose for each device."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterable, Iterator

from opgen.source.frozen import dataclass


@dataclass(frozen=True, slots=True)
class TunedRow:
    """The tuned values for calls that have exactly these `threads` and `dtypes`, and at least these
    `sizes`.
    """

    threads: int
    dtypes: tuple[str, ...]
    sizes: tuple[int, ...]
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TunedTable:
    """The values chosen for a device. A call uses the first row that fits the call."""

    file: str
    device: str
    rows: tuple[TunedRow, ...]


@dataclass(frozen=True, slots=True)
class Tune:
    """The tunable parameters of a kernel, each with its possible values, the default first.

    `dtypes` names dtype variables, and `sizes` names fields of the descriptor. Each row of a table
    has values of these variables and fields.
    """

    parameters: tuple[tuple[str, tuple[int, ...]], ...]
    dtypes: tuple[str, ...]
    sizes: tuple[str, ...]
    tables: tuple[TunedTable, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.parameters)

    @property
    def first(self) -> tuple[int, ...]:
        """Return the default values, for calls that match no row of a table."""
        return tuple(values[0] for _, values in self.parameters)

    @property
    def candidates(self) -> Iterator[tuple[int, ...]]:
        """Return all combinations of the parameters' values, the default first."""
        return itertools.product(*(values for _, values in self.parameters))

    @property
    def signature(self) -> str:
        """Return 12 hex digits that identify the parameters, dtype variables and size fields.

        A table of tuned values contains the signature from the time of tuning, and is only valid if
        it is still the same.
        """
        text = repr((self.parameters, self.dtypes, self.sizes))
        return hashlib.sha256(text.encode()).hexdigest()[:12]


def by_preference(rows: Iterable[TunedRow], first: tuple[int, ...]) -> tuple[TunedRow, ...]:
    """Return the rows of a tuned table in the order in which calls try them: largest sizes first.

    A row is dropped if calls would get the same values without it. `first` are the default values,
    for calls that match no row.
    """
    kept: list[TunedRow] = []
    for row in sorted(rows, key=lambda row: (math.prod(row.sizes), row.sizes)):
        after = [other for other in reversed(kept) if _alike(row, other)]
        fitting = (n for n, other in enumerate(after) if _below(other.sizes, row.sizes))
        end = next(fitting, None)
        values = {other.values for other in after[: None if end is None else end + 1]}
        if values | ({first} if end is None else set()) != {row.values}:
            kept.append(row)
    return tuple(reversed(kept))


def _alike(one: TunedRow, other: TunedRow) -> bool:
    return (one.threads, one.dtypes) == (other.threads, other.dtypes)


def _below(sizes: tuple[int, ...], others: tuple[int, ...]) -> bool:
    return all(size <= other for size, other in zip(sizes, others))
