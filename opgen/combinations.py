"""The combinations of presence, attrs, dtypes and forms in which an op may be called.

Sizes never decide which tensors are there, which dtype or shape they have: only what is
listed here does. So a rule that holds in every combination holds in every call.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from opgen.dtypes import DTYPES
from opgen.expr import (
    Bool,
    Compare,
    Const,
    Expr,
    IfElse,
    Name,
    Unary,
    names_in,
    parse_expr,
    presence_in,
    walk,
)
from opgen.expr.evaluate import Unbound, evaluate
from opgen.scope import Scope, cases_of

LIMIT = 4096

# A tensor that is there, and of whose shape nothing is known.
THERE = object()


class TooMany(Exception):
    """More combinations than can be looked at. `count` says how many."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.count = count


@dataclass(frozen=True, slots=True)
class Combination:
    """One way to call an op.

    `values` holds the attrs and dtype variables that conditions look at, and every tensor:
    `THERE`, or None where it is absent. `view` gives each input the (case, form) of its
    shape, or None. `chosen` is what tells it from the others.
    """

    values: Mapping[str, object]
    view: Mapping[str, tuple[int, int] | None]
    chosen: Mapping[str, object]

    def present(self, tensor: str) -> bool:
        return self.values.get(tensor) is not None


def where(failing: Sequence[Combination], every: Iterable[Combination]) -> str:
    """In words what tells `failing` from the others: " where `bias` is absent".

    What all of them share, if only they share it; else the first of them. Nothing where
    every combination fails.
    """
    every = list(every)
    if len(failing) == len(every):
        return ""
    first, *others = failing
    shared = {n: v for n, v in first.chosen.items() if all(o.chosen[n] == v for o in others)}  # fmt: skip
    alike = [c for c in every if all(c.chosen[n] == v for n, v in shared.items())]
    chosen = shared if len(alike) == len(failing) else first.chosen
    parts = [_in_words(name, value) for name, value in chosen.items()]
    return " where " + " and ".join(parts) if parts else ""


def _in_words(name: str, value: object) -> str:
    if value is THERE or value is None:
        return f"`{name}` is {'absent' if value is None else 'present'}"
    if isinstance(value, bool):
        return f"`{name}` is {str(value).lower()}"
    quoted = isinstance(value, str) and value not in DTYPES
    return f"`{name}` is {value!r}" if quoted else f"`{name}` is {value}"


def decide(expr: Expr, values: Mapping[str, object]) -> bool | None:
    """Whether a condition holds; None where `values` does not say enough."""
    match expr:
        case Bool(op, operands):
            stop = op == "or"
            found = [decide(o, values) for o in operands]
            return stop if stop in found else None if None in found else not stop
        case Unary("not", operand):
            found = decide(operand, values)
            return None if found is None else not found
        case IfElse(test, body, orelse):
            found = decide(test, values)
            return None if found is None else decide(body if found else orelse, values)
    if any(name not in values for name in presence_in(expr)):
        return None
    try:
        return bool(evaluate(expr, values))
    except (Unbound, TypeError, LookupError, ArithmeticError):
        return None


def needed(expr: Expr, values: Mapping[str, object]) -> Iterator[str]:
    """The names whose values `expr` reads: not in branches that are not taken."""
    match expr:
        case IfElse(test, body, orelse):
            yield from needed(test, values)
            found = decide(test, values)
            if found is not False:
                yield from needed(body, values)
            if found is not True:
                yield from needed(orelse, values)
        case Bool(op, operands):
            for operand in operands:
                yield from needed(operand, values)
                if decide(operand, values) is (op == "or"):
                    return
        case _:
            asked = presence_in(expr)
            yield from (n for n in names_in(expr) if n not in asked)


def case_of(value: object, values: Mapping[str, object]) -> int:
    """Which case holds: its position; the first that may where that is open."""
    cases = cases_of(value)
    for n, (condition, _) in enumerate(cases):
        if condition is not None and decide(parse_expr(condition), values) is True:
            return n
    rest = [n for n, (c, _) in enumerate(cases) if c is None]
    return rest[0] if rest else 0


def presence(scope: Scope, values: dict[str, object], chosen: Mapping[str, object]) -> None:  # fmt: skip
    """Add to `values` which tensors are there; those that cannot be decided are left out."""
    waiting = {}
    for _, name, entry in scope.entries():
        if "when" in entry:
            waiting[name] = parse_expr(entry["when"])
        else:
            values[name] = chosen.get(name, THERE)
    while True:
        ready = {n: decide(e, values) for n, e in waiting.items()}
        ready = {n: there for n, there in ready.items() if there is not None}
        if not ready:
            return
        for name, there in ready.items():
            values[name] = THERE if there else None
            del waiting[name]


def combinations(
    scope: Scope,
    conditions: Iterable[Expr],
    choices: Mapping[str, tuple[str, ...]],
    require: Iterable[Expr] = (),
    limit: int = LIMIT,
) -> tuple[Combination, ...]:
    """Every combination that `require` does not refuse.

    `conditions` are those that decide anything, over attrs, presence and the free dtype
    variables, whose dtypes `choices` gives. Raises `TooMany`.
    """
    conditions = tuple(conditions)
    axes = dict(_axes(scope, conditions, choices))
    count = 1
    for values in axes.values():
        count *= len(values)
    if count > limit:
        raise TooMany(count)
    require = tuple(require)
    found = []
    for row in itertools.product(*axes.values()):
        chosen = dict(zip(axes, row))
        values = {n: v for n, v in chosen.items() if n not in scope.tensors}
        presence(scope, values, chosen)
        if all(decide(r, values) is not False for r in require):
            for view in _views(scope, values):
                found.append(Combination(values, view, chosen))
                if len(found) > limit:
                    raise TooMany(len(found))
    return tuple(found)


def _axes(scope: Scope, conditions: tuple[Expr, ...], choices: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, tuple]]:  # fmt: skip
    looked_at = {n for c in conditions for n in names_in(c)}
    for table, name, entry in scope.entries():
        if entry.get("optional") and (table == "inputs" or name in looked_at):
            yield name, (THERE, None)
    for name, attr in scope.attrs.items():
        if name in looked_at:
            yield name, tuple(attr_values(name, attr, conditions))
    for name, dtypes in choices.items():
        if name in looked_at and name not in scope.attrs:
            yield name, dtypes


def _views(scope: Scope, values: Mapping[str, object]) -> Iterator[dict]:
    """Every choice of forms, with the case that `values` decides."""
    names, options = [], []
    for _, name, entry in scope.entries("inputs"):
        names.append(name)
        if values.get(name) is None:
            options.append([None])
            continue
        case = case_of(entry["shape"], values)
        forms = cases_of(entry["shape"])[case][1]
        several = len(forms) if isinstance(forms, list) else 1
        options.append([(case, form) for form in range(several)])
    return (dict(zip(names, row)) for row in itertools.product(*options))


def attr_values(name: str, attr: Mapping, conditions: Iterable[Expr]) -> list:
    """Values of an attr that decide its conditions in every possible way.

    All of an enum's; otherwise those around the constants it is compared with.
    """
    kind = str(attr["type"])
    none = [None] if attr.get("optional") and "default" not in attr else []
    if kind == "bool":
        return [False, True, *none]
    if "choices" in attr:
        return [*attr["choices"], *none]
    constants = dict.fromkeys(_constants(name, conditions))
    if kind == "dtype":
        return [*(constants or DTYPES), *none]
    if kind == "str":
        return [*constants, "", *none]
    default = attr.get("default")
    if kind.partition("[")[0] == "float":
        around = [float(c) + d for c in constants for d in (-1.0, 0.0, 1.0)] or [0.5]
    else:
        around = [int(c) + d for c in constants for d in (-1, 0, 1)] or [1]
    low, high = attr.get("min", around[0]), attr.get("max", around[-1])
    inside = [v for v in dict.fromkeys(around) if ("min" not in attr or v >= low) and ("max" not in attr or v <= high)]  # fmt: skip
    inside = inside or [low]
    if "[" not in kind:
        return [*inside, *none]
    length = kind.partition("[")[2].removesuffix("]")
    if length:
        return [list(v) for v in itertools.product(inside[:5], repeat=min(int(length), 2))] if length == "2" else [[v] * int(length) for v in inside] + none  # fmt: skip
    lengths = {n for n in map(int, constants) if 0 <= n <= 8} or {0, 2}
    lists = [[v] * n for v in inside for n in sorted({0, 1, *lengths, max(lengths) + 1})]  # fmt: skip
    return [*lists, *([default] if isinstance(default, list) else []), *none]


def _constants(name: str, conditions: Iterable[Expr]) -> Iterator[object]:
    """What `name` is compared with in the conditions."""
    for condition in conditions:
        for node in walk(condition):
            if not isinstance(node, Compare) or name not in names_in(node):
                continue
            for operand in node.operands:
                for item in operand if isinstance(operand, tuple) else (operand,):
                    if isinstance(item, Const) and not isinstance(item.value, bool):
                        if item.value is not None:
                            yield item.value
                    elif isinstance(item, Name) and item.id in DTYPES:
                        yield item.id
