"""Sets of combinations in which the same names of sizes are known, for shape inference.

A combination states which tensors are present, and which shape each tensor has. An op may have too
many combinations to list. So a "world" stands for all combinations in which the same names are
known. A condition splits a world if it decides whether a tensor adds a name. Two worlds merge once
their difference no longer matters. Tensors with the same condition are present together, and in the
same case.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from opgen.language.call_variants import View
from opgen.language.expr import Expr, names_in, substitute
from opgen.language.shapes import Dim, Group, Shape
from opgen.source.work import spend

# A decision about a tensor: the conditions that decide it, or the tensor if the caller decides.
Axis = tuple[object, ...]


@dataclass(slots=True)
class World:
    """All combinations in which the same names are known.

    `chosen` maps axes (decisions about tensors) to values. All other axes are undecided. `ranked`
    has the tensors whose ranks are checked, each with the case of its shape.
    """

    chosen: Mapping[Axis, int]
    known: set[str]
    ranked: set[tuple[str, int]] = field(default_factory=set)


class Worlds:
    """The worlds of an op, listed in `all`. If `views` lists combinations, the worlds cover only
    these.
    """

    def __init__(
        self,
        inputs: Sequence[Any],
        dims: Mapping[str, Expr],
        known: Iterable[str],
        views: Iterable[View] | None = None,
    ) -> None:
        self.inputs = inputs
        self.views = [] if views is None else list(views)
        self._every = {t.name: tuple(_options(t)) for t in inputs} if views is None else {}
        viewed = {(name, option) for view in self.views for name, option in view.items()}
        self.shapes = {
            (t.name, c, f): expanded(shape, dims)
            for t in inputs
            for c, (_, forms) in enumerate(t.forms.cases)
            for f, shape in enumerate(forms)
            if views is None or (t.name, (c, f)) in viewed
        }
        lists = {t.name: t.list for t in inputs}
        self.names = {key: _names(lists[key[0]], shape) for key, shape in self.shapes.items()}
        starts = range(len(self.views)) if views is not None else [None]
        self.all = [World({} if n is None else {VIEW: n}, set(known)) for n in starts]

    @property
    def state(self) -> object:
        """Return the choices and known names of all worlds.

        If a pass over the inputs does not change this state, the next pass would repeat its steps.
        """
        return frozenset(
            (frozenset(w.chosen.items()), frozenset(w.known), frozenset(w.ranked)) for w in self.all
        )

    def done(self, tensor: str, case: int, form: int, world: World) -> bool:
        """Return whether a shape of a tensor is checked, and all its names known, in a world."""
        return (tensor, case) in world.ranked and self.names[tensor, case, form] <= world.known

    def settled(self, tensor: Any) -> bool:
        """Return whether all shapes that a tensor may have are done in all worlds."""
        return all(
            self.done(tensor.name, *option, world)
            for world in self.all
            for option in self.options(tensor, world)
            if option is not None
        )

    def options(self, tensor: Any, world: World) -> list[tuple[int, int] | None]:
        """Return the options of a tensor in a world: (case, shape) indices, or None for absent."""
        if VIEW in world.chosen:
            return [self.views[world.chosen[VIEW]][tensor.name]]
        every, chosen = self.every(tensor), world.chosen
        spend(len(every))
        return [
            option
            for axes, option in every
            if not chosen or all(chosen.get(axis, value) == value for axis, value in axes.items())
        ]

    def every(self, tensor: Any) -> tuple[tuple[dict[Axis, int], tuple[int, int] | None], ...]:
        """Return each option of a tensor, as `_options` yields it."""
        return self._every[tensor.name]

    def having(self, tensor: Any, case: int | None = None, form: int | None = None) -> list[World]:
        """Return the worlds in which a tensor may have the shape with the indices `case` and
        `form`.
        """
        found = []
        for world in self.all:
            options = [option for option in self.options(tensor, world) if option]
            if any(case in (None, c) and form in (None, f) for c, f in options):
                found.append(world)
        return found

    def split(self, tensor: Any) -> None:
        """Split worlds by the decisions about a tensor (axes), if its shape may add a name."""
        found = []
        for world in self.all:
            options = self.options(tensor, world)
            if len(options) == 1 or not self.teaches(tensor, world):
                found.append(world)
                continue
            for axes, option in self.every(tensor):
                if option in options:
                    chosen = {**world.chosen, **axes}
                    found.append(World(chosen, set(world.known), set(world.ranked)))
        self.all = found

    def teaches(self, tensor: Any, world: World) -> bool:
        """Return whether the shape of a tensor contains a name that is unknown in a world."""
        return any(
            not self.names[tensor.name, *option] <= world.known
            for option in self.options(tensor, world)
            if option is not None
        )

    def merge(self) -> None:
        """Merge worlds (sets of combinations) that differ only in ways the remaining steps do not
        depend on.
        """
        if self.views or len(self.all) == 1:
            return
        merged: dict[tuple[object, ...], World] = {}
        for world in self.all:
            open_ = [t for t in self.inputs if self.teaches(t, world)]
            axes = {axis for t in open_ for each, _ in self.every(t) for axis in each}
            names = {
                n for t in open_ for key, of in self.names.items() if key[0] == t.name for n in of
            }
            chosen = {a: v for a, v in world.chosen.items() if a in axes}
            key = (frozenset(chosen.items()), frozenset(world.known & names), frozenset(names))
            other = merged.setdefault(key, world)
            other.chosen = dict(other.chosen.items() & world.chosen.items())
            other.known |= world.known
            other.ranked |= world.ranked
        self.all = list(merged.values())


# The axis that selects one of several given worlds.
VIEW: Axis = ("view",)


def _options(tensor: Any) -> Iterable[tuple[dict[Axis, int], tuple[int, int] | None]]:
    """Yield each option of a tensor: the decisions (axes) that lead to it, and its (case, shape)
    indices. These are None if the tensor is absent.
    """
    there: dict[Axis, int] = {}
    if not tensor.always:
        axis = ("present", tensor.when or tensor.name)
        yield {axis: 0}, None
        there = {axis: 1}
    cases = tensor.forms.cases
    for c, (_, forms) in enumerate(cases):
        case: dict[Axis, int] = {("case", *(condition for condition, _ in cases)): c}
        for f in range(len(forms)):
            form: dict[Axis, int] = {("form", tensor.name, c): f} if len(forms) > 1 else {}
            yield {**there, **(case if len(cases) > 1 else {}), **form}, (c, f)


def expanded(shape: Shape, dims: Mapping[str, Expr]) -> Shape:
    """Return `shape` with each derived dim replaced by its expression."""
    if not dims:
        return shape
    return Shape(
        tuple(t if isinstance(t, Group) else Dim(substitute(t.size, dims)) for t in shape.terms)
    )


def _names(length: str | None, shape: Shape) -> frozenset[str]:
    """Return the names that a call may learn from a tensor of `shape`, or a list of `length`."""
    spend(1 + len(shape.terms))
    found = {
        n for t in shape.terms for n in ((t.name,) if isinstance(t, Group) else names_in(t.size))
    }
    return frozenset(found - {"i"} | ({length} if length else set()))
