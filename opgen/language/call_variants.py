"""The combinations of presence, attrs, dtypes and shapes in which an op may be called.

Only these options decide the presence, dtype or shape of tensors; sizes never do. So a rule that
holds in every combination holds in every call.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from opgen.language.dtypes import DTYPES
from opgen.language.expr import (
    Compare,
    Const,
    Expr,
    In,
    Name,
    calls_in,
    children,
    names_in,
    parse_expr,
    walk,
)
from opgen.language.expr.decide import decide
from opgen.language.scope import Scope
from opgen.language.shapes import parse_shape
from opgen.source.cached import cached_property
from opgen.source.frozen import dataclass
from opgen.source.work import spend
from opgen.spec.cases import Cases
from opgen.spec.models.attrs import AttrSpec

LIMIT = 8192
# Up to this number, all combinations are checked. Beyond it, options are split into groups.
EVERY = 256
V = TypeVar("V")

# The value of a tensor that is present, but has an unknown shape.
THERE = object()
# The shape of each input, as the indices of its case and of the shape in this case; None if absent.
View = Mapping[str, tuple[int, int] | None]


# An option of a call: ("", name) for an attr, dtype or tensor; ("rank", name) for a tensor's rank.
Axis = tuple[str, str]
# A function that divides option names into groups. Only options of one group are combined.
Together = Callable[[Sequence[str]], Sequence[frozenset[str]]]


class TooMany(Exception):
    """Error for an op with too many combinations to check. `count` is their number."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.count = count


@dataclass(frozen=True, slots=True)
class Combination:
    """One way to call an op.

    `values` holds the attrs and dtype variables that conditions read. It also maps every tensor to
    `THERE`, or to None if the tensor is absent. `chosen` has the choices that distinguish this
    combination from the others.
    """

    values: Mapping[str, object]
    view: View
    chosen: Mapping[str, object]

    def present(self, tensor: str) -> bool:
        return self.values.get(tensor) is not None


def where(failing: Sequence[Combination], every: Iterable[Combination]) -> str:
    """Describe the first failing combination: " where `bias` is absent".

    The text names only the choices that distinguish this combination from those in `every` that do
    not fail. It is empty if all combinations fail.
    """
    sound = [c for c in every if not any(c is f for f in failing)]
    chosen = dict(failing[0].chosen)
    for name in failing[0].chosen:
        rest = {n: v for n, v in chosen.items() if n != name}
        if not any(all(c.chosen[n] == v for n, v in rest.items()) for c in sound):
            chosen = rest
    parts = [in_words(name, value) for name, value in chosen.items()]
    return " where " + " and ".join(parts) if parts else ""


def in_words(name: str, value: object) -> str:
    """Describe the value that an option has: "`bias` is absent"."""
    if value is THERE or value is None:
        return f"`{name}` is {'absent' if value is None else 'present'}"
    if isinstance(value, bool):
        return f"`{name}` is {str(value).lower()}"
    quoted = isinstance(value, str) and value not in DTYPES
    return f"`{name}` is {value!r}" if quoted else f"`{name}` is {value}"


def case_of(cases: Cases[Any], values: Mapping[str, object]) -> int:
    """Return the index of the first case whose condition is true. If there is none, return the
    index of the case `else`, or 0 if there is no `else`.
    """
    if len(cases.cases) == 1:
        return 0
    for n, (condition, _) in enumerate(cases.cases):
        if condition is not None and decide(parse_expr(condition), values) is True:
            return n
    rest = [n for n, (c, _) in enumerate(cases.cases) if c is None]
    return rest[0] if rest else 0


def value_of(cases: Cases[V], values: Mapping[str, object]) -> V:
    """Return the value of the case that applies, as `case_of` defines it."""
    return cases.cases[case_of(cases, values)][1]


def presence(scope: Scope, values: dict[str, object], chosen: Mapping[str, object]) -> None:
    """Add to `values` whether each tensor is present. Omit tensors for which `values` do not decide
    this.
    """
    waiting = {}
    for name, tensor in scope.spec.tensors.items():
        if tensor.when is not None:
            waiting[name] = parse_expr(tensor.when)
        else:
            values[name] = chosen.get(name, THERE)
    while True:
        spend(len(waiting))
        ready = {n: decide(e, values) for n, e in waiting.items()}
        ready = {n: there for n, there in ready.items() if there is not None}
        if not ready:
            return
        for name, there in ready.items():
            values[name] = THERE if there else None
            del waiting[name]


class Variants:
    """Builds the combinations of an op's options that no condition in `require` rejects.

    `conditions` are all conditions in the spec that select a case, such as a shape or dtype. They
    read attrs, presence and the free dtype variables. `choices` has the dtypes of these variables.
    """

    def __init__(
        self,
        scope: Scope,
        conditions: tuple[Expr, ...],
        choices: Mapping[str, tuple[str, ...]],
        require: tuple[Expr, ...] = (),
    ) -> None:
        self.scope, self.require = scope, require
        self.axes: dict[Axis, tuple[object, ...]] = {
            ("", n): v for n, v in _axes(scope, conditions, choices)
        }
        self.axes |= {("rank", name): ranks for name, ranks in _rank_axes(scope, conditions)}
        forms = {n: max(map(len, t.forms.values())) for n, t in scope.spec.inputs.items()}
        formed = {name: count for name, count in forms.items() if count > 1}
        self.several = bool(formed)
        self.names = list(dict.fromkeys([*(name for _, name in self.axes), *formed]))
        self.count = math.prod((*map(len, self.axes.values()), *formed.values()))

    @cached_property
    def every(self) -> tuple[Combination, ...]:
        """Return the combinations of all options. Raises `TooMany`."""
        return self.made([frozenset(self.names)])

    def combinations(self, together: Together) -> tuple[Combination, ...]:
        """Return `every`, or fewer combinations if there are more than `EVERY`.

        Options are then combined only within each group of `together`. All other options keep the
        values of one legal call. Raises `TooMany`.
        """
        return self.every if self.count <= EVERY else self.made(together(self.names))

    def made(self, groups: Sequence[frozenset[str]]) -> tuple[Combination, ...]:
        """Return, for each of `groups`, one call for every combination of the values of its
        options.

        Options outside the group have the values of one legal call.
        """
        groups = groups or [frozenset()]
        mine = [[axis for axis in self.axes if axis[1] in group] for group in groups]
        count = sum(math.prod(len(self.axes[axis]) for axis in axes) for axes in mine)
        if count > LIMIT:
            raise TooMany(count)
        usual = {axis: values[0] for axis, values in self.axes.items()}
        for axes in mine if len(mine) > 1 else ():
            usual = min(self.rows(usual, axes), key=self.refused)
        found: dict[object, Combination] = {}
        for group, axes in zip(groups, mine):
            for row in self.rows(usual, axes):
                for combination in self.combined(row, group):
                    key = (*row.values(), *combination.view.values())
                    found.setdefault(key, combination)
                    if len(found) > LIMIT:
                        raise TooMany(len(found))
        return tuple(found.values())

    def rows(self, usual: dict[Axis, object], axes: list[Axis]) -> Iterator[dict[Axis, object]]:
        """Yield copies of `usual`, one for each combination of values of the options `axes`."""
        for row in itertools.product(*(self.axes[axis] for axis in axes)):
            spend(1 + len(self.axes))
            yield {**usual, **dict(zip(axes, row))}

    def refused(self, row: Mapping[Axis, object]) -> int:
        """Return the number of requirements that reject the option values in `row`."""
        values = self.values(row)
        return sum(decide(r, values) is False for r in self.require)

    def values(self, row: Mapping[Axis, object]) -> dict[str, object]:
        """Return the values of attrs, dtypes and tensors that the options in `row` imply."""
        chosen = {name: value for (kind, name), value in row.items() if not kind}
        values = {n: v for n, v in chosen.items() if n not in self.scope.spec.tensors}
        presence(self.scope, values, chosen)
        for (kind, name), rank in row.items():
            if kind and values.get(name) is not None:
                values[name] = (0,) * int(str(rank))
        return values

    def combined(self, row: Mapping[Axis, object], group: frozenset[str]) -> Iterator[Combination]:
        """Yield a combination with the options in `row` for each choice of shapes of the inputs in
        `group`.
        """
        values = self.values(row)
        for (kind, name), rank in row.items():
            absent = kind and values.get(name) is None
            if absent and rank != self.axes[kind, name][0]:
                return  # the rank of an absent tensor makes no difference
        if any(decide(r, values) is False for r in self.require):
            return
        chosen = {f"rank({n})" if kind else n: value for (kind, n), value in row.items()}
        for view in views(self.scope, values, group):
            known = {**values, **dict(_known_ranks(self.scope, view))} if self.several else values
            yield Combination(known, view, chosen)


def _axes(
    scope: Scope, conditions: tuple[Expr, ...], choices: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, tuple[object, ...]]]:
    looked_at = {n for c in conditions for n in names_in(c)}
    for name, tensor in scope.spec.tensors.items():
        if tensor.optional and (tensor.table == "inputs" or name in looked_at):
            yield name, (THERE, None)
    for name, attr in scope.spec.attrs.items():
        if name in looked_at or attr.may_be_none:
            yield name, tuple(attr_values(attr, conditions))
    for name, dtypes in choices.items():
        if name in looked_at and name not in scope.spec.attrs:
            yield name, dtypes


def _rank_axes(scope: Scope, conditions: tuple[Expr, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield each tensor whose rank a condition reads, with the ranks that the conditions
    distinguish.
    """
    asked = (c for e in conditions for c in calls_in(e) if c.func == "rank")
    for tensor in dict.fromkeys(c.args[0].id for c in asked if isinstance(c.args[0], Name)):
        if tensor in scope.spec.tensors:
            near = _around(_constants(tensor, conditions), (-1, 0, 1))
            yield tensor, tuple(sorted({int(r) for r in near if r >= 0})) or (0, 1)


def views(
    scope: Scope, values: Mapping[str, object], among: Collection[str] | None = None
) -> Iterator[View]:
    """Yield each combination of input shapes that is possible for these `values` of names. Inputs
    that are not in `among` have only their first possible shape.
    """
    options: dict[str, list[tuple[int, int] | None]] = {}
    for name, tensor in scope.spec.inputs.items():
        value = values.get(name)
        if value is None:
            options[name] = [None]
            continue
        case = case_of(tensor.forms, values)
        forms = tensor.forms.cases[case][1]
        rank = len(value) if isinstance(value, tuple) else None
        fitting = [(case, n) for n, f in enumerate(forms) if rank is None or _fits(f.text, rank)]
        options[name] = [*(fitting if among is None or name in among else fitting[:1])]
    for row in itertools.product(*options.values()):
        spend(1 + len(row))
        yield dict(zip(options, row))


def _known_ranks(
    scope: Scope, view: Mapping[str, tuple[int, int] | None]
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield each input that has several possible shapes, and whose rank is known in `view`. Yield a
    tuple of this length with the input, as its value in conditions.
    """
    for name, chosen in view.items():
        if chosen is not None:
            case, form = chosen
            forms = scope.spec.inputs[name].forms.cases[case][1]
            shape = parse_shape(forms[form].text)
            if len(forms) > 1 and not shape.groups:
                yield name, (0,) * len(shape.terms)


def _fits(form: str, rank: int) -> bool:
    """Return whether a tensor of the shape `form` may have `rank` dims."""
    shape = parse_shape(form)
    fixed = len(shape.terms) - len(shape.groups)
    return rank >= fixed if shape.groups else rank == fixed


def attr_values(attr: AttrSpec, conditions: Iterable[Expr]) -> list[Any]:
    """Return sample values of an attr that cover every outcome of the `conditions`.

    For an attr with choices, return all choices. For a number, return values near the constants
    that the conditions compare with the attr.
    """
    none = [None] if attr.may_be_none else []
    if attr.choices is not None:
        return [*attr.choices, *none]
    constants = dict.fromkeys(_constants(attr.name, conditions))
    match attr.element:
        case "bool":
            return [False, True, *none]
        case "dtype":
            return [*(constants or DTYPES), *none]
        case "str":
            return [*constants, "", *none]
        case element if element not in ("int", "float"):
            return [attr.kind.sample, *none]
    numbers = _around(constants, (-1, 0, 1)) or [1]
    low = -math.inf if attr.min is None else attr.min
    high = math.inf if attr.max is None else attr.max
    numbers = [n for n in numbers if low <= n <= high] or [max(low, min(high, 1))]
    convert = float if attr.element == "float" else int
    numbers = list(dict.fromkeys(map(convert, numbers)))
    if not attr.several:
        return [*numbers, *none]
    lengths = {0, 2, *(int(n) for n in numbers if 0 <= n <= 8)}
    sizes = sorted(lengths) if attr.length is None else [attr.length]
    return [*((n,) * size for size in sizes for n in numbers), *none]


def ways(scope: Scope, exprs: Sequence[Expr]) -> list[dict[str, object]]:
    """Return every combination of values of the attrs and tensors that `exprs` read."""
    spec, asked = scope.spec, dict.fromkeys(n for expr in exprs for n in names_in(expr))
    axes: dict[str, Sequence[object]] = {}
    for name in asked:
        if name in spec.tensors:
            axes[name] = (THERE, None) if spec.tensors[name].absentable else (THERE,)
        elif name in spec.attrs and (name not in spec.dtypes or spec.may_be_none(name)):
            axes[name] = attr_values(spec.attrs[name], exprs)
    return [dict(zip(axes, row)) for row in itertools.product(*axes.values())]


def _around(constants: Iterable[object], steps: tuple[int, ...]) -> list[int | float]:
    """Return each number in `constants` plus each of `steps`, such as -1, 0 and 1."""
    numbers = [c for c in constants if isinstance(c, int | float)]
    return [n + step for n in numbers for step in steps]


def _constants(name: str, conditions: Iterable[Expr]) -> Iterator[object]:
    """Yield the values that conditions compare `name` with."""
    for condition in conditions:
        for node in walk(condition):
            if not isinstance(node, Compare | In) or name not in names_in(node):
                continue
            for item in children(node):
                if isinstance(item, Const) and not isinstance(item.value, bool):
                    if item.value is not None:
                        yield item.value
                elif isinstance(item, Name) and item.id in DTYPES:
                    yield item.id
