"""Compute the sizes of an op's calls, with example numbers, for each combination of options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from opgen.ir.nodes import REQUIRED, Attr, Tensor
from opgen.ir.parsed import attr_of, input_of
from opgen.ir.shape_inference import Choose, Count, Length, Plan, Rank, Solve, Take, plan
from opgen.ir.worlds import expanded
from opgen.language.analysis import analysis
from opgen.language.call_variants import Combination, value_of
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Expr, Index, Name, parse_expr
from opgen.language.expr.decide import needed
from opgen.language.expr.evaluate import Unbound, evaluate
from opgen.language.expr.syntax import as_expression, map_children
from opgen.language.scope import Scope, attr_type
from opgen.language.shapes import Group, Shape, parse_shape
from opgen.source.frozen import dataclass
from opgen.source.work import spend, steps_left
from opgen.spec.models.attrs import AttrSpec
from opgen.spec.models.tensors import TensorSpec

PRIMES = tuple(n for n in range(101, 270) if all(n % d for d in (2, 3, 5, 7, 11, 13)))
RANKS = (2, 1, 3, 2, 1)


class Misfit(Exception):
    """Error for a tensor whose shape differs from the shape that the op's sizes require."""

    def __init__(self, tensor: str) -> None:
        super().__init__(tensor)
        self.tensor = tensor


@dataclass(frozen=True, slots=True)
class Skeleton:
    """The part of an op that shape inference needs, for one combination of the op's options."""

    inputs: tuple[Tensor, ...]
    attrs: tuple[Attr, ...]
    dims: tuple[tuple[str, Expr], ...]
    decided: tuple[str, ...]


class Sizes:
    """Computations about the sizes of the op in `scope`.

    Ops with equal inputs, attrs and dims share one object.
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.spec = scope.spec
        self.inputs = tuple(map(input_of, self.spec.inputs.values()))
        self.attrs = tuple(map(attr_of, self.spec.attrs.values()))
        self.derived = {n: d.value for n, d in self.spec.dims.items() if d.fn is None}
        self._plans: dict[tuple[object, ...], tuple[Skeleton, Plan, dict[str, Shape]]] = {}
        self._every: tuple[Plan, int] | None = None
        self._bound: dict[tuple[object, ...], frozenset[str]] = {}

    def dims(self, values: Mapping[str, object]) -> dict[str, Expr]:
        """Return the expression of each derived dim in calls with the options `values`."""
        return {n: parse_expr(value_of(cases, values)) for n, cases in self.derived.items()}

    def every(self) -> Plan:
        """Return one plan that computes the sizes of all calls, as rendered code does.

        Ops may share the plan. The steps of computing the plan count for each op that uses it. So
        the number of steps of an op does not depend on other ops.
        """
        if self._every is None:
            before = steps_left()
            self._every = (self._planned(), before - steps_left())
        else:
            spend(self._every[1])
        return self._every[0]

    def _planned(self) -> Plan:
        sizes = tuple(Attr(n, "int", REQUIRED) for n in self.scope.functions)
        dims = ((n, as_expression(cases)) for n, cases in self.derived.items())
        attrs = (*sizes, *self.attrs)
        return plan(Skeleton(self.inputs, attrs, tuple(dims), self.scope.decided))

    def plan(self, combination: Combination) -> tuple[Skeleton, Plan, dict[str, Shape]]:
        """Return the plan that computes the sizes in one combination of options.

        Also returns the `Skeleton` that belongs to the plan, and the shape of each present input,
        with derived dims expanded.
        """
        dims, view = self.dims(combination.values), combination.view
        key = (*view.items(), *dims.items())
        found = self._plans.get(key)
        if found is None:
            sizes = tuple(Attr(n, "int", REQUIRED) for n in self.scope.functions)
            attrs = (*sizes, *self.attrs)
            skeleton = Skeleton(self.inputs, attrs, tuple(dims.items()), self.scope.decided)
            shapes = {
                tensor.name: expanded(tensor.forms.cases[chosen[0]][1][chosen[1]], dims)
                for tensor in self.inputs
                if (chosen := view[tensor.name]) is not None
            }
            found = self._plans[key] = skeleton, plan(skeleton, [view]), shapes
        return found

    def bound(self, combination: Combination) -> frozenset[str]:
        """Return the attrs, dims and groups that have a value in calls of `combination`."""
        values, dims = combination.values, self.dims(combination.values)
        key = (
            *combination.view.items(),
            *dims.items(),
            *(tuple(needed(e, values)) for e in dims.values()),
            *(n for n in self.spec.attrs if n in values and values[n] is None),
        )
        found = self._bound.get(key)
        if found is None:
            found = self._bound[key] = frozenset(self._names(combination))
        return found

    def _names(self, combination: Combination) -> set[str]:
        skeleton, steps, _ = self.plan(combination)
        known, decided = set(self.scope.functions), {*self.scope.decided, *DTYPES}
        for attr in self.attrs:
            given = attr.name not in combination.values or combination.present(attr.name)
            known |= {attr.name} if given else set()
        known |= {s.name for s in steps.steps if isinstance(s, Take | Solve | Length)}
        needs = {n: {*needed(e, combination.values)} - decided for n, e in skeleton.dims}
        while True:
            more = {n for n, e in skeleton.dims if n not in known and needs[n] <= known}
            if not more:
                return known
            known |= more

    def shape(self, tensor: TensorSpec, values: Mapping[str, object], form: int = 0) -> Shape:
        """Return a tensor's shape in calls with the options `values`, with derived dims expanded."""
        text = value_of(tensor.forms, values)[form].text
        return expanded(parse_shape(text), self.dims(values))

    def measure(self, shape: Shape, values: Mapping[str, Any]) -> tuple[int, ...]:
        """Return `shape` as numbers. Raises `Unbound` if `values` does not determine a size."""
        sizes: list[int] = []
        for term in shape.terms:
            if isinstance(term, Group):
                if values.get(term.name) is None:
                    raise Unbound(term.name)
                sizes += values[term.name]
            else:
                sizes.append(number(term.size, values))
        return tuple(sizes)

    def numbers(self, combination: Combination) -> dict[str, Any]:
        """Return example values for all names of one combination, and example shapes for inputs.

        The numbers are different primes, so that different sizes are not equal by chance. Raises
        `Unbound` if a size is unknown.
        """
        _, steps, shapes = self.plan(combination)
        values: dict[str, Any] = dict(combination.values)
        primes, ranks = iter(PRIMES * 4), iter(RANKS * 8)
        values |= {name: next(primes) for name in self.scope.functions}
        for attr in self.attrs:
            if attr.name not in values:
                values[attr.name] = sample(self.spec.attrs[attr.name], primes)
        for step in steps.steps:
            if isinstance(step, Take):
                rank = next(ranks)
                if isinstance(values.get(step.tensor), tuple):
                    taken = _count(step.before, values) + _count(step.after, values)
                    rank = max(0, len(values[step.tensor]) - taken)
                values[step.name] = tuple(next(primes) for _ in range(rank))
            elif isinstance(step, Solve | Length):
                values[step.name] = next(primes)
        for name, shape in shapes.items():
            said, values[name] = values.get(name), self.measure(shape, values)
            if isinstance(said, tuple) and len(said) != len(values[name]):
                raise Unbound(f"rank({name})")
        return values

    def bind(
        self,
        combination: Combination,
        shapes: Mapping[str, tuple[int, ...]],
        attrs: Mapping[str, object],
        lengths: Mapping[str, int],
    ) -> dict[str, Any]:
        """Return the value of each name, given the inputs' `shapes` and the `lengths` of lists.

        Raises `Misfit` for an input whose shape contradicts the others, and `Unbound` if a size is
        unknown.
        """
        _, steps, wanted = self.plan(combination)
        values: dict[str, Any] = {**combination.values, **attrs, **shapes}
        for step in steps.steps:
            if isinstance(step, Length):
                values[step.name] = lengths[step.tensor]
            elif not isinstance(step, Rank | Choose):
                _learn(step, shapes, values)
        for name, shape in wanted.items():
            length = self.spec.inputs[name].list
            if length in values and lengths[name] != values[length]:
                raise Misfit(name)
            if self.measure(shape, values) != tuple(shapes[name]):
                raise Misfit(name)
        return values


def number(expr: Expr, values: Mapping[str, object]) -> Any:
    """Return the value of an expression. Raises `Unbound` if it has no value."""
    if isinstance(expr, Name) and expr.id in values:
        return values[expr.id]
    try:
        return evaluate(_one(expr), values)
    except (ArithmeticError, LookupError, TypeError) as error:
        raise Unbound(str(error)) from None


def _learn(
    step: Take | Solve, shapes: Mapping[str, tuple[int, ...]], values: dict[str, Any]
) -> None:
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


def _count(count: Count, values: Mapping[str, Any]) -> int:
    """Return the number of dims that `count` describes. Raises `Unbound` if a group is unknown."""
    for group in count.groups:
        if group not in values:
            raise Unbound(group)
    return count.fixed + sum(len(values[group]) for group in count.groups)


@analysis
def _one(expr: Expr) -> Expr:
    """Return `expr` without the index `i` of a list: `s[i]` becomes `s`."""
    if isinstance(expr, Index) and expr.index == Name("i"):
        return expr.value
    return map_children(expr, _one)


def sample(attr: AttrSpec, primes: Iterator[int]) -> object:
    """Return an example value of an attr that no condition depends on."""
    if attr.default is not None and attr.late_default is None:
        return attr.kind.value(attr.default)
    if attr.choices is not None:
        return attr.choices[0]
    match attr_type(attr):
        case "int":
            return next(primes)
        case "ints" | "floats":
            return tuple(next(primes) for _ in range(attr.length or 2))
    return attr.kind.sample
