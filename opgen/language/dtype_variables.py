"""The dtype variables of a file or an op: free ones, and what is derived from them.

Those of a file are derived from dtypes alone, those of an op also from attrs and presence.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from functools import cache, cached_property

from opgen.language.dtypes import DTYPES
from opgen.language.expr import Call, Expr, IfElse, Name, names_in, presence_in, substitute
from opgen.language.expr.cases import as_expression
from opgen.language.expr.decide import decide
from opgen.language.expr.evaluate import evaluate
from opgen.source.work import spend
from opgen.spec.models.attrs import DtypeSpec

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

    def asks(self, name: str) -> tuple[str, ...]:
        """Return the attrs and tensors that a variable looks at; also whether a dtype attr is there."""
        expr = self.expression(name)
        known = {*self.variables, *DTYPES} - {*presence_in(expr)}
        return tuple(n for n in names_in(expr) if n not in known)

    @property
    def asking(self) -> tuple[str, ...]:
        """The variables that look at attrs or presence."""
        return tuple(name for name in self.derived if self.asks(name))

    def possible(self, name: str, values: Mapping[str, object]) -> tuple[str, ...]:
        """The dtypes that a variable or literal may be in calls with these `values`."""
        if name not in self.derived:
            return (str(values.get(name, name)),)
        return tuple(dict.fromkeys(possible(self.derived[name], values)))

    def value(self, name: str, values: Mapping[str, object]) -> str | None:
        """The dtype of a variable or literal; None where `values` leave it open."""
        first, *others = self.possible(name, values)
        return None if others else first

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
    return tuple(dict.fromkeys(d for row in rows for d in possible(expr, dict(zip(names, row)))))


def possible(expr: Expr, values: Mapping[str, object]) -> Iterator[str]:
    """The possible dtypes of an expression; both branches of an undecided condition."""
    spend()
    match expr:
        case IfElse(test, body, orelse):
            holds = decide(test, values)
            if holds is not False:
                yield from possible(body, values)
            if holds is not True:
                yield from possible(orelse, values)
        case Call(func, args):
            for row in itertools.product(*(possible(arg, values) for arg in args)):
                yield str(evaluate(Call(func, tuple(map(Name, row))), {}))
        case _:
            yield str(evaluate(expr, values))


def given_by(expr: Expr) -> tuple[str, ...]:
    """The names that a dtype expression gives, or hands to a function: not those in its tests."""
    if isinstance(expr, IfElse):
        return (*given_by(expr.body), *given_by(expr.orelse))
    return names_in(expr)
