"""Match the named dims of a spec with the dims of a call's tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .facts import Forms, Key, Shape

# The number of dims of each group, such as `*batch`.
Ranks = Mapping[Key, int]


def own(forms: Forms, number: int) -> Forms:
    """Return the possible shapes `forms` for tensor `number` of a list.

    A term `name[i]` has a separate size in each tensor of the list. So in such terms, this function
    sets the index `i` to `number`.
    """
    return tuple(
        tuple(term._replace(number=number) if term.each else term for term in shape)
        for shape in forms
    )


def group_ranks(
    shapes: Sequence[Shape], ranks: Sequence[int], known: Mapping[str, int] = {}
) -> Ranks:
    """Return the number of dims of each group, computed from the ranks of tensors with these
    shapes.

    If all groups in a shape but one are known, the unknown group gets the remaining dims. `known`
    has the groups for which the number of dims is known in advance.
    """
    found: dict[Key, int] = {(name, None): n for name, n in known.items()}
    while True:
        before = len(found)
        for shape, rank in zip(shapes, ranks):
            groups = [term.key for term in shape if term.kind == "group"]
            unknown = [key for key in groups if key not in found]
            if len(unknown) == 1:
                others = sum(found[key] for key in groups if key in found)
                found[unknown[0]] = rank - others - (len(shape) - len(groups))
        if len(found) == before:
            return found


def extent(shape: Shape, ranks: Ranks) -> int:
    """Return the number of dims that `shape` stands for. A group that is not in `ranks` counts as 0
    dims.
    """
    return sum(ranks.get(term.key, 0) if term.kind == "group" else 1 for term in shape)


def fitting(
    forms: Sequence[Forms], ranks: Sequence[int], known: Mapping[str, int] = {}
) -> list[Shape]:
    """Return the shape of each tensor: the first of its possible shapes that has the tensor's rank.

    `forms` has the possible shapes of each tensor, and `ranks` has its rank. If no shape has this
    rank, return the first shape. `known` has the groups whose rank is known in advance.
    """
    certain = [(each[0], rank) for each, rank in zip(forms, ranks) if len(each) == 1]
    groups = group_ranks([shape for shape, _ in certain], [rank for _, rank in certain], known)

    def fits(shape: Shape, rank: int) -> bool:
        told = all(term.key in groups for term in shape if term.kind == "group")
        return told and extent(shape, groups) == rank

    return [
        next((shape for shape in each if fits(shape, rank)), each[0])
        for each, rank in zip(forms, ranks)
    ]


def size_in(name: str, shapes: Sequence[Shape], sizes: Sequence[tuple[Any, ...]]) -> Any:
    """Return the size of dim `name`, or the sizes of a group, in tensors with these shapes and
    sizes.

    The first shape in which `name` is a whole term, not part of an expression, provides the size.
    Return None if no shape has such a term.
    """
    ranks = group_ranks(shapes, [len(each) for each in sizes])
    for shape, own_sizes in zip(shapes, sizes):
        for place, term in enumerate(shape):
            if term.key == (name, None) and term.kind in ("dim", "group"):
                first = extent(shape[:place], ranks)
                if term.kind == "dim":
                    return own_sizes[first]
                return own_sizes[first : first + ranks.get(term.key, 0)]
    return None
