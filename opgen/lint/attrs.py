"""Literal values of attrs: of which type they are."""

from __future__ import annotations

from typing import Any

from opgen.spec.models.attrs import AttrSpec


def items_of(attr: AttrSpec, value: object) -> tuple[Any, ...] | None:
    """The elements of a literal: itself, unless the attr is a list. None: misfit."""
    if attr.several:
        return tuple(value) if isinstance(value, list | tuple) else None
    if isinstance(value, list | tuple):
        return (tuple(value),) if tuple in attr.kind.literals else None
    return (value,)


def literal(attr: AttrSpec, item: object) -> bool:
    """True if one element is of the attr's type."""
    return attr.kind.literal(item)
