"""The named dims of a call, as the factors of a sharding. Rendered by opgen.

A *factor* is a dim that may be split over mesh axes. `batch.0` is the first dim of the
group `*batch`, `loop.0` the outermost axis that the kernel is run along; a dim `hk*g` is
split by `hk.0`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .kernel import Call

# The name that a term is split by: it stands alone, leads a product, or counts units.
LEADER = re.compile(r"(?:ceildiv\(|roundup\()?([A-Za-z]\w*)")

Row = tuple[str | None, ...]  # the factor of each dim of an array; None: never split


@dataclass(frozen=True)
class Factors:
    """The factors of every operand and result of a call."""

    inputs: tuple[Row, ...]
    outputs: tuple[Row, ...]


def name_of(factor: str) -> str:
    """The dim or group that a factor belongs to."""
    return factor.partition(".")[0]


def factors(call: Call, ranks: Sequence[int]) -> Factors:
    """The factors for operands of these ranks (loop axes included)."""
    kernel, loops = call.kernel, call.loops
    shapes = [shape.split() for shape in kernel.inputs]
    groups = group_ranks(shapes, [rank - len(loops) for rank in ranks])

    def row(shape: Sequence[str], carried: Sequence[bool]) -> Row:
        names: list[str | None] = []
        for axis, has in enumerate(carried):
            names.append(f"loop.{axis}" if has else None)
        for term in shape:
            leader = LEADER.match(term.removeprefix("*"))
            name = leader[1] if leader and leader[1] in kernel.split else None
            for index in range(groups[term[1:]] if term[0] == "*" else 1):
                names.append(f"{name}.{index}" if name else None)
        return tuple(names)

    return Factors(
        tuple(row(s, [has[k] for has in loops]) for k, s in enumerate(shapes)),
        tuple(row(s.split(), [True] * len(loops)) for s in kernel.outputs),
    )


def sizes_of(
    rows: Sequence[Row], shapes: Sequence[tuple[int, ...]]
) -> dict[str, set[int]]:
    """The sizes of the dims of each factor: one, or those of `hk` and `hk*g`."""
    sizes: dict[str, set[int]] = {}
    for row, shape in zip(rows, shapes):
        for factor, size in zip(row, shape):
            if factor:
                sizes.setdefault(factor, set()).add(size)
    return sizes


def group_ranks(
    shapes: Sequence[Sequence[str]], ranks: Sequence[int]
) -> dict[str, int]:
    """How many dims each group has: a shape's only unknown group takes what is left over."""
    known: dict[str, int] = {}
    while True:
        before = len(known)
        for terms, rank in zip(shapes, ranks):
            groups = [term[1:] for term in terms if term[0] == "*"]
            unknown = [group for group in groups if group not in known]
            if len(unknown) == 1:
                others = [group for group in groups if group in known]
                fixed = len(terms) - len(groups) + sum(known[g] for g in others)
                known[unknown[0]] = rank - fixed
        if len(known) == before:
            return known
