"""The named dims of a call, as the factors of a sharding.

A *factor* is a dim that arrays share. `batch.0` is the first dim of the group `*batch`,
`<loop>.0` the outermost axis that the kernel is run along; a dim `hk*g` has the factor
`hk.0` where `hk` may be split, and none where it may not.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from .call import Call
from .forms import group_ranks

# A term that a name splits: the name alone, a product that it leads, a count of its units.
# `s[0]` is the size, or the group, of the first tensor of a list.
TERM = re.compile(r"\*?(?:ceildiv\(|roundup\()?([A-Za-z]\w*)(\[\d+\])?")
ALONE = re.compile(r"\*?[A-Za-z]\w*(\[\d+\])?")
FACTOR = re.compile(r"([\w<>]+)(\[\d+\])?")
LOOP = "<loop>"

Row = tuple[str | None, ...]  # the factor of each dim of an array; None: it has none


@dataclass(frozen=True)
class Factors:
    """The factors of every operand and result of a call."""

    inputs: tuple[Row, ...]
    outputs: tuple[Row, ...]


@functools.cache
def _parts(factor: str) -> tuple[str, str | None]:
    """The dim or group that a factor belongs to, and the index of the tensor of a list."""
    found = FACTOR.match(factor)
    assert found is not None
    return found[1], found[2]


def name_of(factor: str) -> str:
    """The dim or group that a factor belongs to."""
    return _parts(factor)[0]


def of_list(factor: str) -> bool:
    """Whether only one tensor of each list has the factor."""
    return _parts(factor)[1] is not None


def may_split(call: Call, factor: str) -> bool:
    """Whether the spec lets a factor be split, by the kernel itself or by its stages."""
    return name_of(factor) in (LOOP, *call.split, *call.kernel.stages)


def may_meet(factor: str, other: str) -> bool:
    """Whether two factors are not those of different tensors of a list."""
    here, there = _parts(factor)[1], _parts(other)[1]
    return here is None or there is None or here == there


def depends(call: Call) -> list[list[bool]]:
    """For each result, whether it depends on each operand.

    A result that is the `same` for every shard of a dim does not depend on operands that
    have this dim; what goes with one tensor of a list not on the list's other tensors.
    """

    def names(shape: str) -> dict[str, str]:
        found = filter(None, map(TERM.match, shape.split()))
        return {match[1]: match[2] or "" for match in found}

    rows = []
    for shape, reduce in zip(call.outputs, call.reduce):
        own = names(shape)
        same = {name for name, how, _ in reduce if how == "same" and name not in own}
        rows.append(
            [
                not any(n in same or own.get(n, e) != e for n, e in names(each).items())
                for each in call.inputs
            ]
        )
    return rows


def factors(call: Call, ranks: Sequence[int]) -> Factors:
    """The factors for operands of these ranks (loop axes included)."""
    loops = call.loops
    shapes = [shape.split() for shape in call.inputs]
    attrs = {name: len(v) for name, v in call.attrs if isinstance(v, tuple)}
    groups = group_ranks(shapes, [rank - len(loops) for rank in ranks], attrs)

    def row(shape: Sequence[str], carried: Sequence[bool]) -> Row:
        names: list[str | None] = []
        for axis, has in enumerate(carried):
            names.append(f"{LOOP}.{axis}" if has else None)
        for term in shape:
            found = TERM.match(term)
            name = None
            if found and (found[1] in call.split or ALONE.fullmatch(term)):
                name = "".join(filter(None, found.groups()))
            for index in range(groups[term[1:]] if term[0] == "*" else 1):
                names.append(f"{name}.{index}" if name else None)
        return tuple(names)

    return Factors(
        tuple(row(s, [has[k] for has in loops]) for k, s in enumerate(shapes)),
        tuple(row(s.split(), [True] * len(loops)) for s in call.outputs),
    )


def sizes_of(rows: Sequence[Row], shapes: Sequence[tuple[int, ...]]) -> dict[str, set[int]]:
    """The sizes of the dims of each factor: one, or those of `hk` and `hk*g`."""
    sizes: dict[str, set[int]] = {}
    for row, shape in zip(rows, shapes):
        for factor, size in zip(row, shape):
            if factor:
                sizes.setdefault(factor, set()).add(size)
    return sizes
