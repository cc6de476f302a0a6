"""The dtype variables of a spec file: free ones, and what is derived from them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from functools import cache, cached_property

from opgen.language.dtypes import DTYPES
from opgen.language.expr import Expr, Name, names_in, substitute
from opgen.language.expr.cases import as_expression
from opgen.language.expr.evaluate import evaluate
from opgen.spec.op import DtypeSpec

COMBINATIONS_AT_MOST = 50_000


class DtypeVariables:
    """The variables by name, in file order."""

    def __init__(self, variables: Mapping[str, DtypeSpec]) -> None:
        self.variables = variables

    def over_free(self, condition: Expr) -> Expr:
        """A condition with derived variables written out."""
        return substitute(condition, self.derived)

    @cached_property
    def derived(self) -> dict[str, Expr]:
        """The derived variables, each as an expression over free ones."""
        written = {
            name: as_expression(variable.value)
            for name, variable in self.variables.items()
            if not variable.free
        }
        return {name: substitute(e, written) for name, e in written.items()}

    @cached_property
    def given(self) -> dict[str, tuple[str, ...]]:
        """The free variables, and what each may be."""
        return {n: v.choices for n, v in self.variables.items() if v.choices is not None}

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
        return {
            name: _values(self.expression(name), *((f, self.given[f]) for f in self.free(name)))
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
