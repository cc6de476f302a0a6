"""Simulate the calls of a backward op, and check that all arguments and gradients fit.

The sizes are example numbers. There is a call for each combination of the forward's options that has
a gradient, and for each choice of requested gradients.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal

from opgen.ir.nodes import Argument
from opgen.language.analysis import analysis
from opgen.language.call_variants import THERE, Combination, TooMany, presence, views, where
from opgen.language.expr import Expr, Name, names_in, parse_expr, presence_in, substitute
from opgen.language.expr.decide import decide
from opgen.language.expr.evaluate import Unbound
from opgen.language.shapes import Shape
from opgen.lint.interplay import interplay
from opgen.lint.pairing import TENSORS, Pair, renamed
from opgen.lint.sizes import Misfit, number
from opgen.lint.unbound import unbound_in_inputs
from opgen.source.frozen import dataclass

Kind = Literal[
    "absent-argument", "unwanted-argument", "argument-shape", "absent-gradient", "gradient-shape"
]


@dataclass(frozen=True)
class Trouble:
    """An error in a call of a backward op; `name` is the argument or result with the error."""

    kind: Kind
    name: str
    message: str


@analysis
def troubles(pair: Pair) -> tuple[Trouble, ...]:
    """Try all combinations, and return the first error of each kind for each name.

    The result is empty if a size of either op is unknown, because another rule reports this.
    """
    if unbound_in_inputs(pair.forward) or unbound_in_inputs(pair.backward):
        return ()
    first: dict[tuple[str, str], Trouble] = {}
    failing: dict[tuple[str, str], list[Combination]] = {}
    taken = [c for c in _combinations(pair) if _taken(pair, c)]
    for combination in taken:
        try:
            numbers = pair.forward.sizes.numbers(combination)
            found = list(_Meeting(pair, combination, numbers).troubles())
        except Unbound:
            continue
        for trouble in found:
            key = (trouble.kind, trouble.name)
            first.setdefault(key, trouble)
            if combination not in failing.setdefault(key, [])[-1:]:
                failing[key].append(combination)
    return tuple(
        replace(t, message=t.message + where(failing[key], taken)) for key, t in first.items()
    )


def _combinations(pair: Pair) -> tuple[Combination, ...]:
    try:
        return pair.forward.combined(_conditions(pair), _together(pair))
    except TooMany:
        return pair.forward.combinations


def _conditions(pair: Pair) -> Iterator[Expr]:
    """Yield the backward's conditions, rewritten with the forward's attrs and dtypes."""
    given: dict[str, Expr] = {}
    for name, arg in pair.attrs.items():
        if arg.source in ("attr", "dtype"):
            given[name] = Name(arg.of)
        elif arg.expr is not None:
            given[name] = arg.expr
    for name, variable in pair.variables:
        given.setdefault(name, Name(variable))
    for condition in pair.backward.conditions:
        yield renamed(condition, given)


def _together(pair: Pair) -> Iterator[set[str]]:
    """Yield groups of names of the forward whose combinations must all be tried.

    Each group consists of the names that affect one question about the backward, and of the
    names that decide whether the forward has the gradient.
    """
    taken = {n for r in pair.grad.require for n in names_in(parse_expr(r.condition))}
    taken |= {n for c in pair.forward.spec.grad.conditions for n in names_in(parse_expr(c))}
    taken |= {n for n, t in pair.forward.spec.residuals.items() if t.optional}
    ours: dict[str, set[str]] = {}
    for argument in (*pair.inputs.values(), *pair.attrs.values()):
        expr = argument.expr
        ours[argument.name] = {argument.of, *(() if expr is None else names_in(expr))}
    for primal, output in pair.gradients:
        ours.setdefault(output, set()).add(primal)
    names = [*pair.backward.spec.tensors, *pair.backward.spec.attrs]
    for group in interplay(pair.backward, names):
        yield taken.union(*(ours.get(name, ()) for name in group))


def _taken(pair: Pair, combination: Combination) -> bool:
    """Return whether the forward has a gradient by this call in the given combination."""
    values = combination.values
    if not pair.forward.differentiated(pair.path, combination):
        return False
    for required in pair.grad.require:
        condition = pair.forward.over_free(parse_expr(required.condition))
        if decide(condition, values) is False:
            return False
    residuals = pair.forward.spec.residuals.items()
    return all(combination.present(n) or t.when is not None for n, t in residuals)


class _Meeting:
    """The call of the backward for one combination of the forward, with example `numbers`."""

    def __init__(self, pair: Pair, forward: Combination, numbers: Mapping[str, Any]) -> None:
        self.pair, self.combination, self.numbers = pair, forward, numbers
        self.ours, self.theirs = pair.forward, pair.backward
        self.shapes = {n: self.shape_of(arg) for n, arg in pair.inputs.items()}
        self.lengths = {n: self.length_of(arg) for n, arg in pair.inputs.items()}

    def shape_of(self, arg: Argument) -> tuple[int, ...] | None:
        """Return the shape of the tensor that the forward passes as `arg`; None if it has none."""
        if arg.source not in TENSORS:
            return None
        if self.combination.present(arg.of):
            return self.measured(arg.of)
        optional = self.ours.spec.tensors[arg.of].optional
        if arg.source != "cotangent" or not optional:
            return None
        return self.measure(arg.of)

    def length_of(self, arg: Argument) -> int:
        """Return the number of tensors that the forward passes as `arg`: 1 unless it is a list."""
        length = self.ours.spec.tensors[arg.of].list if arg.source in TENSORS else None
        found = self.numbers.get(length, 1) if length else 1
        return found if isinstance(found, int) else 1

    def measured(self, tensor: str) -> tuple[int, ...]:
        """Return the shape of a forward tensor. Raises `Unbound` if one of its sizes is unknown."""
        if tensor in self.ours.spec.inputs:
            given: tuple[int, ...] = self.numbers[tensor]
            return given
        return self.ours.sizes.measure(self.our_shape(tensor), self.numbers)

    def our_shape(self, tensor: str) -> Shape:
        form = (self.combination.view.get(tensor) or (0, 0))[1]
        found = self.ours.spec.tensors[tensor]
        return self.ours.sizes.shape(found, self.combination.values, form)

    def measure(self, tensor: str) -> tuple[int, ...] | None:
        """Return the shape of a forward tensor; None if one of its sizes is unknown."""
        try:
            return self.measured(tensor)
        except Unbound:
            return None

    def troubles(self) -> Iterator[Trouble]:
        attrs: dict[str, object] = {}
        for name, arg in self.pair.attrs.items():
            try:
                attrs[name] = self.value(name, arg)
            except Unbound as unbound:
                yield Trouble("absent-argument", name, f"`{unbound}` has no value")
                return
        live = {o for p, o in self.pair.gradients if self.combination.present(p)}
        optional = [o for o, t in self.theirs.spec.outputs.items() if t.optional]
        unread = {o: None for o in optional if o not in live}
        free = [o for o in optional if o in live & self.pair.asked_about]
        for asked in _choices(free):
            yield from self.called(attrs, {**unread, **asked})

    def value(self, name: str, arg: Argument) -> object:
        """Return the value of the backward's attr `name`. Raises `Unbound` if it has no value."""
        dims = self.ours.sizes.dims(self.combination.values)
        if arg.source == "dtype":
            return self.dtype_of(arg.of)
        if arg.source in ("attr", "dim", "group"):
            return number(substitute(Name(arg.of), dims), self.numbers)
        if arg.expr is not None:
            return number(substitute(arg.expr, dims), self.numbers)
        attr = self.theirs.spec.attrs.get(name)
        return attr.default if attr is not None and attr.late_default is None else None

    def dtype_of(self, variable: str) -> str | None:
        """Return the dtype of the forward's variable or dtype attr; None if it is not known."""
        if variable in self.ours.spec.attrs:
            return str(self.numbers[variable])
        free = {v: str(self.numbers.get(v, c[0])) for v, c in self.ours.free_dtypes.items()}
        return self.ours.dtypes.value(variable, {**self.combination.values, **free})

    def called(
        self, attrs: Mapping[str, object], wanted: Mapping[str, object]
    ) -> Iterator[Trouble]:
        """Simulate a call that requests the optional results in `wanted`, and yield its errors."""
        values: dict[str, object] = dict(attrs)
        for theirs, ours in self.pair.variables:
            dtype = self.dtype_of(ours)
            if dtype is not None:
                values.setdefault(theirs, dtype)
        given: dict[str, object] = {}
        for name, tensor in self.theirs.spec.inputs.items():
            if tensor.optional and not self.available(name):
                given[name] = None
            elif self.shapes[name] is not None:
                given[name] = self.shapes[name]
        presence(self.theirs.scope, values, {**given, **wanted})
        missing = [
            n for n in self.pair.inputs if values.get(n) is not None and self.shapes[n] is None
        ]
        for name in missing:
            arg = self.pair.inputs[name]
            if arg.source in TENSORS:
                yield Trouble("absent-argument", name, f"{_words(arg)} is absent")
        for name in self.pair.inputs:
            if values.get(name) is None and self.always_passed(name):
                yield Trouble("unwanted-argument", name, _words(self.pair.inputs[name]))
        if missing:
            return
        yield from self.fitted(values, attrs)

    def always_passed(self, name: str) -> bool:
        """Return whether the forward passes the argument even if the backward's `when` forbids it.

        The forward only omits the argument if its `when` depends on the backward's results.
        """
        tensor = self.theirs.spec.inputs[name]
        if tensor.when is None or self.shapes[name] is None:
            return False
        return not {*presence_in(parse_expr(tensor.when))} & {*self.theirs.spec.outputs}

    def available(self, name: str) -> bool:
        """Return whether the forward can pass a value for the backward's optional input `name`.

        It cannot pass the cotangent of an output that is absent.
        """
        arg = self.pair.inputs[name]
        if arg.source == "cotangent" and not self.combination.present(arg.of):
            return False
        return self.shapes[name] is not None

    def fitted(self, values: dict[str, object], attrs: Mapping[str, object]) -> Iterator[Trouble]:
        shapes = {
            n: s for n, s in self.shapes.items() if values.get(n) is not None and s is not None
        }
        misfit: Misfit | None = None
        fitting = [*views(self.theirs.scope, values)]
        if not fitting:
            # No form has the rank of the given shape. Try all forms, so that the error names the
            # tensor that does not fit.
            unranked = {n: THERE if n in shapes else v for n, v in values.items()}
            fitting = [*views(self.theirs.scope, unranked)]
        for view in fitting:
            combination = Combination(values, view, {})
            try:
                sizes = self.theirs.sizes.bind(combination, shapes, attrs, self.lengths)
            except Misfit as wrong:
                misfit = misfit or wrong
            except Unbound:
                return
            else:
                yield from self.compared({**values, **sizes})
                return
        if misfit is not None:
            name = misfit.tensor
            arg = self.pair.inputs[name]
            theirs = _shown(self.theirs.sizes.shape(self.theirs.spec.inputs[name], values))
            ours = _shown(self.our_shape(arg.of))
            message = f"`{name}` of `{self.theirs.name}` has the shape `{theirs}`, but {_words(arg)} has `{ours}`"
            if theirs == ours:
                message = (
                    f"`{name}` of `{self.theirs.name}` does not fit: "
                    f"its other arguments give the dims of `{theirs}` other sizes"
                )
            yield Trouble("argument-shape", name, message)

    def compared(self, sizes: Mapping[str, object]) -> Iterator[Trouble]:
        """Yield an error for each gradient that is absent, or differs from its primal in shape."""
        for primal, output in self.pair.gradients:
            tensor = self.theirs.spec.outputs[output]
            if not self.combination.present(primal):
                continue
            if sizes.get(output) is None:
                if not tensor.optional:
                    yield Trouble("absent-gradient", output, f"`{output}` is absent")
                continue
            shape = self.theirs.sizes.shape(tensor, sizes)
            try:
                found = self.theirs.sizes.measure(shape, sizes)
            except Unbound:
                continue
            if found != self.measured(primal):
                message = (
                    f"`{output}`, the gradient of `{primal}`, has the shape `{_shown(shape)}`, "
                    f"not `{_shown(self.our_shape(primal))}`"
                )
                yield Trouble("gradient-shape", output, message)


def _choices(results: list[str]) -> Iterator[dict[str, object]]:
    """Yield the combinations of optional results for which to simulate a call of the backward.

    For up to 4 results, yield all combinations. For more, yield: all results, none, each result
    alone, and all results but one.
    """
    if len(results) <= 4:
        for row in itertools.product((THERE, None), repeat=len(results)):
            yield dict(zip(results, row))
        return
    for lone, others in ((None, THERE), (THERE, None)):
        yield dict.fromkeys(results, others)
        for name in results:
            yield {**dict.fromkeys(results, others), name: lone}


def _shown(shape: Shape) -> str:
    return str(shape) or '""'


def _words(arg: Argument) -> str:
    return f"the cotangent of `{arg.of}`" if arg.source == "cotangent" else f"`{arg.of}`"
