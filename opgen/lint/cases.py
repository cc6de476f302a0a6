"""The tables of cases of an op, each with the calls in which one of the cases must apply."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from typing import Any

from opgen.language.analysis import analysis
from opgen.language.call_variants import LIMIT, Combination
from opgen.language.expr import Expr, names_in, parse_expr
from opgen.lint.dtype_table import DtypeTable
from opgen.lint.expression_contexts import case_tables
from opgen.lint.op_context import OpContext
from opgen.source.cached import cached_property
from opgen.source.diagnostics import Path
from opgen.source.frozen import dataclass
from opgen.spec.cases import Cases


@dataclass(frozen=True)
class Cased:
    """A table of cases (conditions with values) at the location `path` in a spec.

    If the table belongs to a `tensor`, no case needs to apply in calls without this tensor.
    """

    path: Path
    cases: Cases[Any]
    subject: OpContext | DtypeTable
    tensor: str | None = None

    @property
    def rest(self) -> bool:
        return len(self.cases.conditions) < len(self.cases.cases)

    @cached_property
    def conditions(self) -> list[tuple[str, Expr]]:
        over_free = self.subject.over_free
        return [(c, over_free(parse_expr(c))) for c in self.cases.conditions]

    @cached_property
    def worlds(self) -> tuple[Combination, ...]:
        """Return the combinations of options and dtypes in which one of the cases must apply."""
        if isinstance(self.subject, DtypeTable):
            return tuple(self._of_dtypes(self.subject))
        every = self.subject.combinations
        if self.tensor is None:
            return every
        return tuple(c for c in every if c.present(self.tensor))

    def _of_dtypes(self, table: DtypeTable) -> Iterator[Combination]:
        names = dict.fromkeys(n for _, e in self.conditions for n in names_in(e))
        free = {n: table.given[n] for n in names if n in table.given}
        if math.prod(map(len, free.values())) > LIMIT:
            return
        for row in itertools.product(*free.values()):
            values = dict(zip(free, row))
            yield Combination(values, {}, values)


@analysis
def cased(subject: OpContext | DtypeTable) -> tuple[Cased, ...]:
    """Return all tables of cases of an op, or of the dtype variables of a file."""
    places: Iterable[tuple[Path, str | None, Cases[Any]]]
    if isinstance(subject, DtypeTable):
        values = ((name, variable.value) for name, variable in subject.variables.items())
        places = (((name,), None, cases) for name, cases in values if cases.by_table)
    else:
        places = case_tables(subject.spec)
    return tuple(Cased(p, cases, subject, t) for p, t, cases in places)
