"""Literal values of attrs: of which type they are."""

from __future__ import annotations

from opgen.spec.op import AttrSpec


def items_of(attr: AttrSpec, value: object) -> tuple | None:
    """The elements of a literal: itself, unless the attr is a list. None: misfit."""
    if attr.several != isinstance(value, list | tuple):
        return None
    return tuple(value) if attr.several else (value,)


def literal(attr: AttrSpec, item: object) -> bool:
    """Whether one element is of the attr's type. `true` is no number."""
    is_bool = attr.element == "bool"
    return isinstance(item, attr.kind.literals) and isinstance(item, bool) == is_bool
