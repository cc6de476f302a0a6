"""Literal values of attrs, and their types."""

from __future__ import annotations

from typing import Any

from opgen.spec.models.attrs import AttrSpec


def items_of(attr: AttrSpec, value: object) -> tuple[Any, ...] | None:
    """Return the elements of a literal, which for a scalar is itself; None for a misfit."""
    if attr.several:
        return tuple(value) if isinstance(value, list | tuple) else None
    if isinstance(value, list | tuple):
        return (tuple(value),) if tuple in attr.kind.literals else None
    return (value,)


def literal(attr: AttrSpec, item: object) -> bool:
    """Return whether `item`, one element of a default or of `choices`, has the attr's type."""
    return attr.kind.literal(item)
