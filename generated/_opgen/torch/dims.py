"""Which named dim of a call is which dim of its tensors. Rendered by opgen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Terms = Sequence[str]


@dataclass(frozen=True)
class Tensors:
    """The tensors of a call: the terms of each one's shape, by argument.

    `ranks` says how many dims each `*group` has, `elements` names what each element of a
    list has of its own: `s` where there are `s[0]`, `s[1]`.
    """

    shapes: Mapping[str, list[Terms]]
    ranks: Mapping[str, int]
    elements: frozenset[str]

    def of(self, forms: Mapping[str, str]) -> dict[str, list[Terms]]:
        """The terms of further tensors, one for each form."""
        return {name: [form.split()] for name, form in forms.items()}

    def dim(self, terms: Terms, axis: Mapping[str, int]) -> int | None:
        """The dim of a tensor that is split along `axis`."""
        for position, term in enumerate(terms):
            name = name_of(term)
            if name in axis:
                return _extent(terms[:position], self.ranks) + axis[name]
        return None

    def lacks(self, terms: Terms, axis: Mapping[str, int]) -> set[str]:
        """What of `axis` a tensor does not have: of a list's, not even for itself."""
        own = {name_of(term).partition("[")[0] for term in terms}
        return {name.partition("[")[0] for name in axis} - own

    def at(self, terms: Terms, dim: int) -> tuple[str, int]:
        """The term that dim number `dim` is of, and its place in a group."""
        start = 0
        for term in terms:
            extent = _extent([term], self.ranks)
            if dim < start + extent:
                return term, dim - start
            start += extent
        raise IndexError(dim)


def fit(
    forms: Mapping[str, Any], ranks: Mapping[str, list[int]], known: Mapping[str, int]
) -> Tensors:
    """The tensors of a call.

    `ranks` has the rank of each, of each in a list; `known` how many dims the groups have
    that are attrs.
    """
    rows: list[tuple[str, list[Terms], int]] = []
    elements: set[str] = set()
    for name, form in forms.items():
        for number, rank in enumerate(ranks[name]):
            texts = [form] if isinstance(form, str) else form
            own: list[Terms] = [[t.replace("[i]", f"[{number}]") for t in s.split()] for s in texts]
            elements |= {name_of(t).partition("[")[0] for s in own for t in s if "[" in t}
            rows.append((name, own, rank))
    certain = [(own[0], rank) for _, own, rank in rows if len(own) == 1]
    groups = _group_ranks(certain, known)
    shapes: dict[str, list[Terms]] = {name: [] for name in forms}
    for name, own, rank in rows:
        fitting = (terms for terms in own if _extent(terms, groups) == rank)
        shapes[name].append(next(fitting))
    return Tensors(shapes, groups, frozenset(elements))


def name_of(term: str) -> str:
    """What a term is called: in a product the first factor is what may be split."""
    return term.lstrip("*").partition("*")[0]


def _group_ranks(tensors: Sequence[tuple[Terms, int]], known: Mapping[str, int]) -> dict[str, int]:
    """How many dims each `*group` has."""
    sizes = dict(known)
    for _ in tensors:
        for terms, rank in tensors:
            unknown = [t for t in terms if t[0] == "*" and t[1:] not in sizes]
            if len(unknown) == 1:
                sizes[unknown[0][1:]] = rank - _extent(terms, sizes)
    return sizes


def _extent(terms: Terms, sizes: Mapping[str, int]) -> int:
    """How many dims `terms` take; a group of unknown rank does not count."""
    return sum(sizes.get(term[1:], 0) if term[0] == "*" else 1 for term in terms)
