"""The dtype variables of one file: free ones, and what is derived from them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal

from opgen.language.dtypes import DTYPES
from opgen.language.expr import Expr, Name, names_in, substitute
from opgen.language.expr.evaluate import evaluate
from opgen.language.scope import as_expression
from opgen.lint.expression_contexts import Site, dtype_sites
from opgen.source.diagnostics import Path, Where

COMBINATIONS_AT_MOST = 50_000


@dataclass(frozen=True, eq=False)
class DtypeTable:
    """The dtype variables of the document in `file`."""

    file: str
    variables: Mapping[str, object]

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        return tuple(dtype_sites(self.variables))

    @cached_property
    def types(self) -> dict[str, str]:
        return dict.fromkeys(self.variables, "dtype")

    def over_free(self, condition: Expr) -> Expr:
        """A condition with derived variables written out."""
        return substitute(condition, self.derived)

    def lookup(self, site: Site, name: str) -> str | None:
        return "dtype" if name in DTYPES else self.types.get(name)

    def at(
        self,
        path: Path,
        part: Literal["key", "value"] = "value",
        start: int | None = None,
        end: int | None = None,
    ) -> Where:
        return Where(self.file, ("dtypes", *path), part, start, end)

    @cached_property
    def derived(self) -> dict[str, Expr]:
        """The derived variables, each as an expression over free ones."""
        written = {}
        for name, value in self.variables.items():
            if not isinstance(value, list):
                written[name] = as_expression(value)
        return {name: substitute(e, written) for name, e in written.items()}

    def free(self, name: str) -> tuple[str, ...]:
        """The free variables that a variable depends on, in the order of its expression."""
        if name in self.derived:
            return tuple(n for n in names_in(self.derived[name]) if n in self.variables)
        return (name,)

    def expression(self, name: str) -> Expr:
        """A variable or literal as an expression over free variables."""
        return self.derived.get(name) or Name(name)

    def value(self, name: str, free: Mapping[str, str]) -> str:
        """The dtype of a variable or literal, given those of the free variables."""
        if name in self.derived:
            return str(evaluate(self.derived[name], free))
        return free.get(name, name)

    @cached_property
    def choices(self) -> dict[str, tuple[str, ...]]:
        """Every dtype that each variable may be."""
        lists = {n: tuple(v) for n, v in self.variables.items() if isinstance(v, list)}
        return {
            name: _values(
                self.expression(name), *((f, lists[f]) for f in self.free(name))
            )
            for name in self.variables
        }


@cache
def _values(expr: Expr, *free: tuple[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Every value of a dtype expression whose variables may each be some dtypes.

    All dtypes where there are too many combinations to look at.
    """
    if math.prod(len(dtypes) for _, dtypes in free) > COMBINATIONS_AT_MOST:
        return tuple(DTYPES)
    names = [name for name, _ in free]
    rows = itertools.product(*(dtypes for _, dtypes in free))
    return tuple(dict.fromkeys(str(evaluate(expr, dict(zip(names, r)))) for r in rows))
