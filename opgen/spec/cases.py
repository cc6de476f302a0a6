"""A value that may differ from call to call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from opgen.spec.let import as_written

V = TypeVar("V")
W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class Cases(Generic[V]):
    """A value that may depend on attrs, presence, dtypes or ranks.

    At most one condition holds; a last case whose condition is None is the rest. Conditions
    are text in a spec, expressions in the IR. `by_table`: a spec writes it as a table from
    conditions to values. Without any case the spec does not say it.
    """

    cases: tuple[tuple[Any, V], ...] = ()
    by_table: bool = False

    def __bool__(self) -> bool:
        return bool(self.cases)

    @property
    def only(self) -> V:
        """The value of a `Cases` that depends on nothing."""
        ((condition, value),) = self.cases
        assert condition is None
        return value

    @property
    def plain(self) -> bool:
        """True for a single value without cases."""
        return len(self.cases) == 1 and self.cases[0][0] is None and not self.by_table

    @property
    def alone(self) -> V | None:
        """The value where it is `plain`."""
        return self.only if self.plain else None

    def values(self) -> Iterator[V]:
        return (value for _, value in self.cases)

    @property
    def conditions(self) -> tuple[Any, ...]:
        return tuple(condition for condition, _ in self.cases if condition is not None)

    def placed(self) -> Iterator[tuple[tuple[str, ...], V]]:
        """Each value, and the keys that lead from where a spec writes them all to it."""
        return ((self.key(condition), value) for condition, value in self.cases)

    def key(self, condition: str | None) -> tuple[str, ...]:
        """The key of the case of `condition` in a spec."""
        return ("else" if condition is None else as_written(condition),) if self.by_table else ()

    def map(self, convert: Callable[[V], W]) -> Cases[W]:
        return Cases(tuple((c, convert(v)) for c, v in self.cases), self.by_table)


def fixed(value: V) -> Cases[V]:
    """`value` in every call."""
    return Cases(((None, value),))
