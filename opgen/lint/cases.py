"""Every table of cases, with the combinations in which one of them must hold."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from opgen.ir.gradients import GRAD_KEYS
from opgen.language.call_variants import LIMIT, Combination
from opgen.language.expr import Expr, names_in, parse_expr
from opgen.lint.dtype_table import DtypeTable
from opgen.lint.op_context import OpContext
from opgen.source.diagnostics import Path


@dataclass(frozen=True)
class Cased:
    """One table of cases at `path`. `tensor`: whose it is; its absence makes it moot."""

    path: Path
    cases: Mapping[str, object]
    subject: OpContext | DtypeTable
    tensor: str | None = None

    @property
    def rest(self) -> bool:
        return "else" in self.cases

    @cached_property
    def conditions(self) -> list[tuple[str, Expr]]:
        over_free = self.subject.over_free
        return [(c, over_free(parse_expr(c))) for c in self.cases if c != "else"]

    @cached_property
    def worlds(self) -> tuple[Combination, ...]:
        """The combinations in which a case must hold."""
        if isinstance(self.subject, DtypeTable):
            return tuple(self._of_dtypes(self.subject))
        every = self.subject.combinations
        if self.tensor is None:
            return every
        return tuple(c for c in every if c.present(self.tensor))

    def _of_dtypes(self, table: DtypeTable) -> Iterator[Combination]:
        names = dict.fromkeys(n for _, e in self.conditions for n in names_in(e))
        free = {n: table.variables[n] for n in names if n in table.variables}
        if math.prod(map(len, free.values())) > LIMIT:
            return
        for row in itertools.product(*free.values()):
            values = dict(zip(free, row))
            yield Combination(values, {}, values)


def cased(subject: OpContext | DtypeTable) -> Iterator[Cased]:
    """The tables of cases of an op, or of a file's dtype variables."""
    if isinstance(subject, DtypeTable):
        for name, value in subject.variables.items():
            if isinstance(value, Mapping):
                yield Cased((name,), value, subject)
        return
    for path, tensor, value in _places(subject):
        if isinstance(value, Mapping):
            yield Cased(path, value, subject, tensor)


def _places(op: OpContext) -> Iterator[tuple[Path, str | None, object]]:
    for table, name, entry in op.scope.entries():
        for key in ("dtype", "shape", "layout", "values", "update"):
            if key in entry:
                yield (table, name, key), name, entry[key]
        for split, reduction in entry.get("reduce", {}).items():
            yield (table, name, "reduce", split), name, reduction
    for name, value in op.scope.derived.items():
        if not (isinstance(value, Mapping) and "fn" in value):
            yield ("dims", name), None, value
    grad = op.table["grad"]
    if isinstance(grad, Mapping) and not set(grad) <= GRAD_KEYS:
        yield ("grad",), None, grad
    yield ("sharding", "split"), None, op.scope.section("sharding").get("split")
    for platform, kernel in op.scope.section("kernels").items():
        if isinstance(kernel, Mapping):
            yield ("kernels", platform, "symbol"), None, kernel.get("symbol")
