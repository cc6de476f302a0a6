"""Which shape an input has, of those that its spec lists. Rendered by opgen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Terms = Sequence[str]  # a shape, term by term; a group begins with `*`


def chosen(shapes: Sequence[str | tuple[str, ...]], inputs: Sequence[Any]) -> tuple[str, ...]:
    """One shape for each input: of several, the first whose rank fits."""
    texts = tuple(shape for shape in shapes if isinstance(shape, str))
    if len(texts) == len(shapes):
        return texts
    rows = [
        (shape.split(), len(x.shape))
        for shape, x in zip(shapes, inputs)
        if isinstance(shape, str) and hasattr(x, "shape")
    ]
    ranks = group_ranks([terms for terms, _ in rows], [rank for _, rank in rows])

    def fits(shape: str, x: Any) -> bool:
        terms = shape.split()
        if any(term[0] == "*" and term[1:] not in ranks for term in terms):
            return False
        return sum(ranks.get(term[1:], 1) for term in terms) == len(x.shape)

    return tuple(
        (
            shape
            if isinstance(shape, str)
            else next((each for each in shape if x is not None and fits(each, x)), shape[0])
        )
        for shape, x in zip(shapes, inputs)
    )


def size_of(name: str, shapes: Sequence[str | tuple[str, ...]], arrays: Sequence[Any]) -> Any:
    """The size of dim `name`, or the sizes of the group, which is alone in a shape.

    0 if no present array has it: expressions that read such a size have a condition.
    """
    given = [
        (s.split(), tuple(x.shape)) for s, x in zip(chosen(shapes, arrays), arrays) if x is not None
    ]
    ranks = group_ranks([terms for terms, _ in given], [len(sizes) for _, sizes in given])
    for terms, sizes in given:
        position = 0
        for term in terms:
            count = ranks[term[1:]] if term[0] == "*" else 1
            if term == f"*{name}":
                return sizes[position : position + count]
            if term == name:
                return sizes[position]
            position += count
    return 0


def numel(x: Any) -> Any:
    """How many elements an array, or a list of arrays, holds."""
    return sum(each.size for each in x) if isinstance(x, list | tuple) else x.size


def group_ranks(
    shapes: Sequence[Terms], ranks: Sequence[int], known: Mapping[str, int] = {}
) -> Mapping[str, int]:
    """How many dims each group has: a shape's only unknown group takes what is left over."""
    known = dict(known)
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


def memory_order(
    layout: str, terms: Terms, rank: int, ranks: Mapping[str, int]
) -> tuple[int, ...] | None:
    """The dims of an array from the slowest in memory to the fastest; None: row-major.

    `layout` names its terms in that order, or after `...` the fastest of them, or is `columns`;
    `ranks` says how many dims each group has.
    """
    if layout == "columns":
        return (*range(rank - 2), rank - 1, rank - 2) if rank > 1 else None
    spans, first = {}, 0
    for term in terms:
        width = ranks[term[1:]] if term[0] == "*" else 1
        spans[term.removeprefix("*")] = range(first, first + width)
        first += width
    named = [name for word in layout.split() if (name := word.removeprefix("*")) in spans]
    dims = [dim for name in named for dim in spans[name]]
    return (*(dim for dim in range(rank) if dim not in dims), *dims)
