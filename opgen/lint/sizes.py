"""Sizes of an op in one combination: which are known, and, with numbers, what they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from opgen.ir.nodes import REQUIRED, Attr, Cases, Tensor
from opgen.ir.shape_inference import (
    Choose,
    Count,
    Length,
    Plan,
    Rank,
    Solve,
    Take,
    expanded,
    plan,
)
from opgen.language.call_variants import Combination, case_of
from opgen.language.expr import Binary, Call, Expr, Index, Name, names_in, parse_expr
from opgen.language.expr.evaluate import Unbound, evaluate
from opgen.language.scope import Scope, attr_type, cases_of
from opgen.language.shapes import Group, Shape, parse_shape
from opgen.spec.attr_types import type_of_attr

PRIMES = (101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179,
          181, 191, 193, 197, 199, 211, 223, 227, 229, 233, 239, 241, 251, 257, 263, 269)  # fmt: skip
RANKS = (2, 1, 3, 2, 1)


class Misfit(Exception):
    """A tensor's shape is not what the names make of it."""

    def __init__(self, tensor: str) -> None:
        super().__init__(tensor)
        self.tensor = tensor


@dataclass(frozen=True, slots=True)
class Skeleton:
    """What binding needs of an op (`opgen.ir.shape_inference.plan`), with the dims of one combination."""

    inputs: tuple[Tensor, ...]
    attrs: tuple[Attr, ...]
    dims: tuple[tuple[str, Expr], ...]


class Sizes:
    """The sizes of the op of `scope`, and of every op with the same inputs, attrs and dims."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.inputs = tuple(_input(n, e) for _, n, e in scope.entries("inputs"))
        self.attrs = tuple(_attr(n, a) for n, a in scope.attrs.items())
        self._plans: dict[tuple, tuple[Skeleton, Plan]] = {}
        self._bound: dict[tuple, frozenset[str]] = {}

    def dims(self, values: Mapping[str, object]) -> dict[str, Expr]:
        """The derived dims in the combination of `values`."""
        found = {}
        for name, value in self.scope.derived.items():
            if name not in self.scope.functions:
                text = cases_of(value)[case_of(value, values)][1]
                found[name] = parse_expr(str(text))
        return found

    def plan(self, combination: Combination) -> tuple[Skeleton, Plan]:
        """How the sizes of one combination are bound."""
        dims = tuple(self.dims(combination.values).items())
        key = (*combination.view.items(), *dims)
        found = self._plans.get(key)
        if found is None:
            sizes = tuple(Attr(n, "int", REQUIRED) for n in self.scope.functions)
            skeleton = Skeleton(self.inputs, (*sizes, *self.attrs), dims)
            found = skeleton, plan(skeleton, [combination.view])
            self._plans[key] = found
        return found

    def bound(self, combination: Combination) -> frozenset[str]:
        """The names that a call of one combination knows: attrs, dims, groups."""
        values = combination.values
        key = (
            *combination.view.items(),
            *self.dims(values).items(),
            *(n for n in self.scope.attrs if n in values and values[n] is None),
        )
        found = self._bound.get(key)
        if found is None:
            found = self._bound[key] = frozenset(self._names(combination))
        return found

    def _names(self, combination: Combination) -> set[str]:
        skeleton, steps = self.plan(combination)
        known = set(self.scope.functions)
        for attr in self.attrs:
            given = attr.name not in combination.values or combination.present(
                attr.name
            )
            known |= {attr.name} if given else set()
        known |= {s.name for s in steps.steps if isinstance(s, Take | Solve | Length)}
        while True:
            more = {n for n, e in skeleton.dims if n not in known and set(names_in(e)) <= known}  # fmt: skip
            if not more:
                return known
            known |= more

    def shape(
        self, entry: Mapping, values: Mapping[str, object], form: int = 0
    ) -> Shape:
        """The shape of a tensor in one combination, derived dims written out."""
        found = cases_of(entry["shape"])[case_of(entry["shape"], values)][1]
        text = found[form] if isinstance(found, list) else found
        return expanded(parse_shape(text), self.dims(values))

    def measure(self, shape: Shape, values: Mapping[str, object]) -> tuple[int, ...]:
        """The numbers of a shape. Raises `Unbound`."""
        sizes: list[int] = []
        for term in shape.terms:
            if isinstance(term, Group):
                if values.get(term.name) is None:
                    raise Unbound(term.name)
                sizes += values[term.name]
            else:
                sizes.append(number(term.size, values))
        return tuple(sizes)

    def numbers(self, combination: Combination) -> dict[str, object]:
        """Numbers for every name of one combination, no two sizes alike; shapes for inputs.

        Raises `Unbound`.
        """
        _, steps = self.plan(combination)
        values = dict(combination.values)
        primes, ranks = iter(PRIMES * 4), iter(RANKS * 8)
        values |= {name: next(primes) for name in self.scope.functions}
        for attr in self.attrs:
            if attr.name not in values:
                values[attr.name] = sample(self.scope.attrs[attr.name], primes)
        for step in steps.steps:
            if isinstance(step, Take):
                rank = next(ranks)
                if isinstance(values.get(step.tensor), tuple):
                    taken = _count(step.before, values) + _count(step.after, values)
                    rank = max(0, len(values[step.tensor]) - taken)
                values[step.name] = tuple(next(primes) for _ in range(rank))
            elif isinstance(step, Solve | Length):
                values[step.name] = next(primes)
        for _, name, entry in self.scope.entries("inputs"):
            view = combination.view[name]
            if view is not None:
                shape = self.shape(entry, combination.values, view[1])
                said, values[name] = values.get(name), self.measure(shape, values)
                if isinstance(said, tuple) and len(said) != len(values[name]):
                    raise Unbound(f"rank({name})")
        return values

    def bind(
        self,
        combination: Combination,
        shapes: Mapping[str, tuple[int, ...]],
        attrs: Mapping[str, object],
    ) -> dict[str, object]:
        """Every name's number, from the shapes of the present inputs.

        Raises `Misfit`, and `Unbound` where a zero factor teaches nothing.
        """
        skeleton, steps = self.plan(combination)
        values = {**combination.values, **attrs, **shapes}
        for step in steps.steps:
            if not isinstance(step, Rank | Choose):
                _learn(step, shapes, values)
        for tensor in skeleton.inputs:
            view = combination.view[tensor.name]
            if view is not None:
                shape = expanded(tensor.forms.cases[view[0]][1][view[1]], dict(skeleton.dims))  # fmt: skip
                wanted = self.measure(shape, values)
                if wanted != tuple(shapes[tensor.name]):
                    raise Misfit(tensor.name)
        return values


def number(expr: Expr, values: Mapping[str, object]) -> object:
    """The value of an expression. Raises `Unbound` where it has none."""
    try:
        return evaluate(_one(expr), values)
    except (ArithmeticError, LookupError, TypeError) as error:
        raise Unbound(str(error)) from None


def _learn(step, shapes: Mapping[str, tuple[int, ...]], values: dict) -> None:
    if isinstance(step, Length):
        values[step.name] = 1
        return
    shape = shapes[step.tensor]
    before, after = _count(step.before, values), _count(step.after, values)
    if isinstance(step, Take):
        if before + after > len(shape):
            raise Misfit(step.tensor)
        values[step.name] = tuple(shape[before : len(shape) - after])
        return
    place = len(shape) - 1 - after if step.from_end else before
    if not 0 <= place < len(shape):
        raise Misfit(step.tensor)
    factor, offset = number(step.factor, values), number(step.offset, values)
    if factor == 0:
        raise Unbound(step.name)
    quotient, rest = divmod(shape[place] - offset, factor)
    if rest:
        raise Misfit(step.tensor)
    values[step.name] = quotient


def _count(count: Count, values: Mapping) -> int:
    """How many dims some terms take. Raises `Unbound`."""
    for group in count.groups:
        if group not in values:
            raise Unbound(group)
    return count.fixed + sum(len(values[group]) for group in count.groups)


def _one(expr: Expr) -> Expr:
    """`expr` for one element of a list: `s[i]` as `s`."""
    match expr:
        case Index(value, index) if index == Name("i"):
            return value
        case Binary(op, left, right):
            return Binary(op, _one(left), _one(right))
        case Call(func, args):
            return Call(func, tuple(map(_one, args)))
    return expr


def sample(attr: Mapping, primes: Iterator[int]) -> object:
    """A value of an attr that nothing depends on."""
    kind, default = attr_type(attr), attr.get("default")
    if default is not None and not (isinstance(default, str) and kind not in ("str", "dtype")):  # fmt: skip
        return default
    if "choices" in attr:
        return attr["choices"][0]
    match kind:
        case "int":
            return next(primes)
        case "ints" | "floats":
            inside = str(attr["type"]).partition("[")[2].removesuffix("]")
            return tuple(next(primes) for _ in range(int(inside or 2)))
    return type_of_attr(str(attr["type"])).sample


def _input(name: str, entry: Mapping) -> Tensor:
    forms = tuple(
        (
            None if condition is None else parse_expr(condition),
            tuple(map(parse_shape, texts if isinstance(texts, list) else [texts])),
        )
        for condition, texts in cases_of(entry["shape"])
    )
    return Tensor(
        name=name,
        role="input",
        dtype=Cases(()),
        forms=Cases(forms),
        optional=bool(entry.get("optional")),
        when=parse_expr(entry["when"]) if "when" in entry else None,
        list=entry.get("list"),
    )


def _attr(name: str, entry: Mapping) -> Attr:
    default = entry.get("default")
    if isinstance(default, str) and entry["type"] not in ("str", "dtype"):
        default = parse_expr(default)
    given = "default" in entry or entry.get("optional")
    return Attr(name, entry["type"], default if given else REQUIRED)
