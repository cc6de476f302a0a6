"""The dtype variables of a spec file or an op: free variables and derived variables.

The variables of a file are derived from dtypes alone. Those of an op may also depend on attrs and
on the presence of tensors.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from functools import cache

from opgen.language.dtypes import DTYPES
from opgen.language.expr import Call, Expr, IfElse, Name, names_in, presence_in, substitute
from opgen.language.expr.decide import decide
from opgen.language.expr.evaluate import evaluate
from opgen.language.expr.syntax import as_expression
from opgen.language.expr.types import SIGNATURES
from opgen.source.cached import cached_property
from opgen.source.work import spend
from opgen.spec.models.attrs import DtypeSpec

COMBINATIONS_AT_MOST = 50_000


class DtypeVariables:
    """The dtype variables by name, in file order."""

    def __init__(self, variables: Mapping[str, DtypeSpec]) -> None:
        self.variables = variables

    def over_free(self, condition: Expr) -> Expr:
        """Return `condition` with each derived variable replaced by its expression."""
        return substitute(condition, self.derived)

    @cached_property
    def derived(self) -> dict[str, Expr]:
        """Return the derived variables, each as an expression over free variables."""
        written = {
            name: as_expression(variable.value)
            for name, variable in self.variables.items()
            if not variable.free
        }
        return {name: substitute(e, written) for name, e in written.items()}

    @cached_property
    def given(self) -> dict[str, tuple[str, ...]]:
        """Return the free variables, each with the dtypes that it may have."""
        return {n: v.choices for n, v in self.variables.items() if v.choices is not None}

    def free(self, name: str) -> tuple[str, ...]:
        """Return the free variables that the variable `name` depends on, in order."""
        if name in self.derived:
            return tuple(n for n in names_in(self.derived[name]) if n in self.variables)
        return (name,)

    def expression(self, name: str) -> Expr:
        """Return a dtype variable or literal dtype as an expression of free variables."""
        return self.derived.get(name) or Name(name)

    def asks(self, name: str) -> tuple[str, ...]:
        """Return the attrs and tensors that the expression of the variable `name` reads."""
        expr = self.expression(name)
        known = {*self.variables, *DTYPES} - {*presence_in(expr)}
        return tuple(n for n in names_in(expr) if n not in known)

    @cached_property
    def asking(self) -> tuple[str, ...]:
        """Return the dtype variables that depend on attrs or on the presence of tensors."""
        return tuple(name for name in self.derived if self.asks(name))

    def possible(self, name: str, values: Mapping[str, object]) -> tuple[str, ...]:
        """Return the possible dtypes of a variable, or of a literal dtype, for these `values`."""
        if name not in self.derived:
            return (str(values.get(name, name)),)
        return tuple(dict.fromkeys(possible(self.derived[name], values)))

    def value(self, name: str, values: Mapping[str, object]) -> str | None:
        """Return the dtype of a variable or literal dtype; None if `values` do not decide it."""
        first, *others = self.possible(name, values)
        return None if others else first

    @cached_property
    def choices(self) -> dict[str, tuple[str, ...]]:
        """Return all possible dtypes of each variable."""
        given = {name: tuple(dict.fromkeys(dtypes)) for name, dtypes in self.given.items()}
        return given | {
            name: _values(expr, *((f, self.given[f]) for f in self.free(name)))
            for name, expr in self.derived.items()
        }


@cache
def _values(expr: Expr, *free: tuple[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return every value that a dtype expression may have. `free` has the choices of each variable.

    Return all dtypes if there are too many combinations to check.
    """
    if math.prod(len(dtypes) for _, dtypes in free) > COMBINATIONS_AT_MOST:
        return tuple(DTYPES)
    names = [name for name, _ in free]
    rows = itertools.product(*(dtypes for _, dtypes in free))
    return tuple(dict.fromkeys(d for row in rows for d in possible(expr, dict(zip(names, row)))))


def possible(expr: Expr, values: Mapping[str, object]) -> Iterator[str]:
    """Yield the possible dtypes of an expression. If `values` do not decide a condition, yield the
    dtypes of both branches.
    """
    spend()
    match expr:
        case IfElse(test, body, orelse):
            holds = decide(test, values)
            if holds is not False:
                yield from possible(body, values)
            if holds is not True:
                yield from possible(orelse, values)
        case Call(func) if func not in SIGNATURES or SIGNATURES[func][1] != "dtype":
            yield from DTYPES  # lint reports the call
        case Call(func, args):
            for row in itertools.product(*(possible(arg, values) for arg in args)):
                yield str(evaluate(Call(func, tuple(map(Name, row))), {}))
        case _:
            yield str(evaluate(expr, values))


def given_by(expr: Expr) -> tuple[str, ...]:
    """Return the names in the branches of a dtype expression, but not in its conditions."""
    if isinstance(expr, IfElse):
        return (*given_by(expr.body), *given_by(expr.orelse))
    return names_in(expr)
