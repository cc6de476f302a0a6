"""The ways to compute a call: by its own kernel, or by stages.

A stage is a call to another kernel. Its arguments are operands of the call, and results of earlier
stages, reduced over the shards. So stages can compute a call with a split dim that the call's own
kernel cannot split.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import jax

from ..core.dims import size_in
from ..core.facts import needed_stages
from .arrays import narrowed
from .call import Call, call_of
from .dtypes import DTYPES
from .factors import LOOP, Factor, Factors, Row, factors
from .kernel import Kernel, kernel_of

Axes = Mapping[Factor, tuple[str, ...]]  # the mesh axes that each factor is split over


@dataclass(frozen=True)
class Stage:
    """A call that computes a part of another call. This module calls the other call "the whole
    call".

    `operands` has the position of each argument in a list: the operands of the whole call, then the
    results of earlier stages. None stands for an argument that is the start index of a dim and is
    0, because the dim is not split. `rows` has the stage's own factors. `names` maps factors of the
    whole call to factors of the stage.
    """

    call: Call
    operands: tuple[int | None, ...]
    rows: Factors
    names: Mapping[Factor, Factor]

    def own(self, axes: Axes) -> dict[Factor, tuple[str, ...]]:
        """Translate the keys of `axes` from factors of the whole call to factors of the stage."""
        return {self.names[f]: a for f, a in axes.items() if f in self.names}

    def may_split(self, factor: Factor) -> bool:
        """Return whether the stage can be split along a factor of the whole call."""
        own = self.names.get(factor)
        return own is None or own.name in (LOOP, *self.call.split)

    @property
    def zero(self) -> jax.ShapeDtypeStruct:
        """Return the type of an argument that is the start index of a dim."""
        return _zero(self.call)


@dataclass(frozen=True)
class Way:
    """One way to compute a call: a list of stages. The call's own kernel is a list of one stage.

    `values` has the types of the operands, then of the results of each stage, and `names` has their
    names. `results` has the positions of the call's results in `values`.
    """

    stages: tuple[Stage, ...]
    values: tuple[jax.ShapeDtypeStruct, ...]
    names: tuple[str, ...]
    results: tuple[int, ...]

    def may_split(self, factor: Factor) -> bool:
        return all(stage.may_split(factor) for stage in self.stages)

    @cached_property
    def bytes(self) -> tuple[int, ...]:
        """Return the size of each value, in bytes."""
        return tuple(math.prod(x.shape) * x.dtype.itemsize for x in self.values)


def ways(call: Call, operands: Sequence[Any], rows: Factors) -> tuple[Way, ...]:
    """Return all ways to compute `call`, its own kernel first."""
    values = [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in operands]
    names = {f: f for row in (*rows.inputs, *rows.outputs) for f in row if f}
    results = tuple(_made(call, values))
    whole = Stage(call, tuple(range(len(values))), rows, names)
    places = range(len(values), len(values) + len(results))
    called = (*call.argument_names(), *call.result_names(values))
    found = [Way((whole,), (*values, *results), called, tuple(places))]
    for kernels in call.kernel.stages.values():
        staged = _Staged(call, values, rows)
        needed = needed_stages([kernel.facts for kernel in kernels], called)
        if all(staged.add(kernel_of(facts.name), asked) for facts, asked in needed):
            found.append(staged.way())
    return tuple(found)


class _Staged:
    """Collects the stages of a call, one after the other.

    `values` has the operands, then the results of all stages, and `places` maps names to positions
    in this list. `rows` has the factors of each value in the whole call, and `loops` tells which
    loop axes of the call each value has.
    """

    def __init__(self, call: Call, operands: Sequence[Any], rows: Factors) -> None:
        self.call = call
        self.stages: list[Stage] = []
        self.values = list(operands)
        self.names = call.argument_names()
        self.rows: list[Row] = list(rows.inputs)
        self.made = dict(zip(call.result_names(operands), rows.outputs))
        self.loops = [[has[k] for has in call.loops] for k in range(len(operands))]
        inputs = jax.tree.unflatten(call.given, range(len(operands)))
        self.places = dict(zip(call.kernel.arguments, inputs))

    def add(self, kernel: Kernel, asked: Collection[str]) -> bool:
        """Add a stage. Return False if some loop axis of the call is in no operand of the stage."""
        count = len(self.call.loops)
        begins = {each.name for each in kernel.facts.inputs if each.begin}
        there = kernel.facts.taken(asked)
        places = [self.places.get(n) if n in there else None for n in kernel.arguments]
        taken = tuple(
            place
            for name, place in zip(kernel.arguments, places)
            if place is not None or name in begins
        )
        inputs = [
            self._value(place, count) if place is not None or name in begins else None
            for name, place in zip(kernel.arguments, places)
        ]
        attrs = {name: self._attr(name, kernel) for name in kernel.options}
        call = call_of(kernel, inputs, attrs, asked)
        loops = [[False] * count if k is None else self.loops[k] for k in taken]
        call = replace(call, loops=tuple(zip(*loops)) if count else ())
        if not all(map(any, call.loops)):
            return False
        operands = [self._value(place) for place in taken]
        rows = factors(call, [len(x.shape) for x in operands])
        made = call.result_names(operands)
        names = dict(self._renamed(taken, made, rows))
        self.stages.append(Stage(call, taken, rows, names))
        whole = {own: factor for factor, own in names.items()}
        start = len(self.values)
        self.values += _made(call, operands)
        self.names += made
        self.rows += [tuple(f and whole.get(f) for f in row) for row in rows.outputs]
        self.loops += [[True] * count for _ in rows.outputs]
        self.places |= {name: k for k, name in enumerate(self.names) if k >= start}
        return True

    def way(self) -> Way:
        given = self.values[: self.call.given.num_leaves]
        results = [self.places[name] for name in self.call.result_names(given)]
        return Way(tuple(self.stages), tuple(self.values), tuple(self.names), tuple(results))

    def _value(self, place: int | None, skip: int = 0) -> jax.ShapeDtypeStruct:
        """Return the type of the value at `place`, without its first `skip` loop axes. If `place`
        is None, the value is a start index of 0.
        """
        x = _zero(self.call) if place is None else self.values[place]
        return jax.ShapeDtypeStruct(x.shape[skip:], x.dtype)

    def _attr(self, name: str, kernel: Kernel) -> Any:
        """Return the value of a stage's attr: the call's attr with this name, or the size of the
        dim with this name.

        For each dim that occurs only in results, the call has an attr with the dim's size.
        """
        attrs = dict(self.call.attrs)
        if name in attrs:
            return attrs[name]
        for result in kernel.facts.results:
            names = [] if callable(result.forms) else [term.text for term in result.forms[0]]
            if result.name in self.made and name in names:
                ours = self.call.outputs[[*self.made].index(result.name)]
                return attrs[ours[names.index(name)].text]
        count = len(self.call.loops)
        inner = [self._value(k, count) for k in range(self.call.given.num_leaves)]
        return size_in(name, self.call.inputs, [x.shape for x in inner])

    def _renamed(
        self, taken: Sequence[int | None], made: Sequence[str], rows: Factors
    ) -> Iterator[tuple[Factor, Factor]]:
        """Yield pairs: a factor of the whole call, and the same factor in the stage."""
        for name, own in zip(made, rows.outputs):
            known = self.made.get(name, (None,) * len(own))
            yield from ((a, b) for a, b in zip(known, own) if a and b)
        for place, own in zip(taken, rows.inputs):
            known = own if place is None else self.rows[place]
            yield from ((a, b) for a, b in zip(known, own) if a and b)


def _made(call: Call, operands: Sequence[Any]) -> Iterator[jax.ShapeDtypeStruct]:
    """Yield the types of a call's results for these operands, without any split."""
    shapes = [tuple(x.shape) for x in operands]
    for spec in call.infer(shapes, [x.dtype for x in operands]):
        yield jax.ShapeDtypeStruct(spec.shape, DTYPES[narrowed(spec.dtype)])


def _zero(call: Call) -> jax.ShapeDtypeStruct:
    shape = (1,) * len(call.loops)
    return jax.ShapeDtypeStruct(shape, DTYPES[narrowed("i64")])
