"""`Cases`: a value in a spec that may depend on the options of a call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from opgen.source.cached import cached_property
from opgen.source.frozen import dataclass
from opgen.spec.let import as_written

V = TypeVar("V")
W = TypeVar("W")


@dataclass(frozen=True)
class Cases(Generic[V]):
    """A value that may depend on attrs, the presence of tensors, dtypes or ranks.

    `cases` has pairs of a condition and a value. At most one condition holds in a call. If the last
    condition is None, its value applies to all other calls. Conditions are strings in a spec and
    `Expr` objects in the IR. `by_table` is True if the spec maps conditions to values in a table.
    If there are no cases, the spec does not define the value.
    """

    cases: tuple[tuple[Any, V], ...] = ()
    by_table: bool = False

    def __bool__(self) -> bool:
        return bool(self.cases)

    @property
    def only(self) -> V:
        """Return the value, which must not have conditions. Raises an error if it has some."""
        ((condition, value),) = self.cases
        assert condition is None
        return value

    @cached_property
    def plain(self) -> bool:
        """Return whether this is a single value without cases."""
        return len(self.cases) == 1 and self.cases[0][0] is None and not self.by_table

    @cached_property
    def alone(self) -> V | None:
        """Return the value if the spec has a single value without cases; otherwise None."""
        return self.only if self.plain else None

    def values(self) -> tuple[V, ...]:
        return self._values

    @cached_property
    def _values(self) -> tuple[V, ...]:
        return tuple([value for _, value in self.cases])

    @cached_property
    def conditions(self) -> tuple[Any, ...]:
        return tuple(condition for condition, _ in self.cases if condition is not None)

    def placed(self) -> Iterator[tuple[tuple[str, ...], V]]:
        """Return each value, with the TOML keys that lead to it (none without a table of cases)."""
        return ((self.key(condition), value) for condition, value in self.cases)

    def key(self, condition: str | None) -> tuple[str, ...]:
        """Return the TOML keys that lead to the value for `condition`; empty without a table."""
        return ("else" if condition is None else as_written(condition),) if self.by_table else ()

    def map(self, convert: Callable[[V], W]) -> Cases[W]:
        return Cases(tuple((c, convert(v)) for c, v in self.cases), self.by_table)


def fixed(value: V) -> Cases[V]:
    """Return a `Cases` with the same value in every call."""
    return Cases(((None, value),))
