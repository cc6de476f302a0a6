"""The named dims of a call, as the factors of a sharding.

A *factor* is a dim that several arrays share. The dims of a group `*batch` share the name `batch`,
and their `place` is 0, 1 and so on. Loop axes (batch axes over which the kernel runs in a loop)
have the name `LOOP`, and the outermost has place 0. A dim `hk*g` has the factor `hk` if `hk` may be
split. Otherwise its factor has the name `hk*g`, and may not be split.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..core.dims import extent, group_ranks
from ..core.facts import Shape, Term
from .call import Call

LOOP = "<loop>"


class Factor(NamedTuple):
    """A dim that arrays share."""

    # The dim or group that it belongs to.
    name: str
    # Its place in the group.
    place: int
    # The index of the only tensor of a list that has this dim.
    number: int | None = None


Row = tuple[Factor | None, ...]  # the factor of each dim of an array, or None


@dataclass(frozen=True)
class Factors:
    """The factors of every operand and result of a call.

    `multiples` has the names that a number multiplies in the shapes of operands: `d` for `2*d`.
    """

    inputs: tuple[Row, ...]
    outputs: tuple[Row, ...]
    multiples: tuple[Row, ...]


def may_split(call: Call, factor: Factor) -> bool:
    """Return whether the spec allows a split of a factor, for the kernel itself or for stages
    (kernels that together replace the kernel).
    """
    return factor.name in (LOOP, *call.split, *call.kernel.stages)


def may_meet(factor: Factor, other: Factor) -> bool:
    """Return whether one array may have both factors. No array has factors of two different tensors
    of a list.
    """
    return factor.number is None or other.number is None or factor.number == other.number


def depends(call: Call) -> list[list[bool]]:
    """Return, for each result, whether it depends on each operand.

    The spec may declare that a result is the `same` on every shard of a dim. Such a result does not
    depend on operands with this dim, nor on the index at which a shard starts. A result that
    belongs to one tensor of a list does not depend on the list's other tensors.
    """

    def names(shape: Shape) -> dict[str, int | None]:
        return {term.name: term.number for term in shape if term.name}

    rows, begins = [], dict(call.begins)
    for shape, reduce in zip(call.outputs, call.reduce):
        own = names(shape)
        same = {name for name, how, _ in reduce if how == "same" and name not in own}
        rows.append(
            [
                begins.get(k) not in same
                and not any(n in same or own.get(n, e) != e for n, e in names(each).items())
                for k, each in enumerate(call.inputs)
            ]
        )
    return rows


def factors(call: Call, ranks: Sequence[int]) -> Factors:
    """Return the factors for operands of these ranks (including loop axes)."""
    loops = call.loops
    attrs = {name: len(v) for name, v in call.attrs if isinstance(v, tuple)}
    groups = group_ranks(call.inputs, [rank - len(loops) for rank in ranks], attrs)

    def whole(term: Term) -> str | None:
        if term.alone or term.name in call.split:
            return term.name
        return term.text if term.name or term.multiple_of else None

    def row(shape: Shape, carried: Sequence[bool], named: Callable[[Term], str | None]) -> Row:
        found: list[Factor | None] = [
            Factor(LOOP, axis) if has else None for axis, has in enumerate(carried)
        ]
        for term in shape:
            name = named(term)
            for place in range(extent((term,), groups)):
                found.append(Factor(name, place, term.number) if name else None)
        return tuple(found)

    def operands(named: Callable[[Term], str | None]) -> tuple[Row, ...]:
        return tuple(row(s, [has[k] for has in loops], named) for k, s in enumerate(call.inputs))

    outputs = tuple(row(s, [True] * len(loops), whole) for s in call.outputs)
    return Factors(operands(whole), outputs, operands(lambda term: term.multiple_of))


def sizes_of(rows: Sequence[Row], shapes: Sequence[tuple[int, ...]]) -> dict[Factor, set[int]]:
    """Return, for each factor, the sizes of the dims that have this factor.

    A factor `hk` has two sizes if dims `hk` and `hk*g` exist.
    """
    sizes: dict[Factor, set[int]] = {}
    for row, shape in zip(rows, shapes):
        for factor, size in zip(row, shape):
            if factor:
                sizes.setdefault(factor, set()).add(size)
    return sizes


def axes_of(axes: Mapping[Factor, tuple[str, ...]], factor: Factor | None) -> tuple[str, ...]:
    """Return the mesh axes that split a factor, or () if `factor` is None."""
    return () if factor is None else axes.get(factor, ())
