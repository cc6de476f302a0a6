"""Checks of literal values in specs against the types of attrs."""

from __future__ import annotations

from typing import Any

from opgen.spec.models.attrs import AttrSpec


def items_of(attr: AttrSpec, value: object) -> tuple[Any, ...] | None:
    """Return the elements of `value`, the literal value of an attr, as a tuple.

    A scalar is its own only element. Return None if `value` is a list but the attr is a scalar, or
    the other way round.
    """
    if attr.several:
        return tuple(value) if isinstance(value, list | tuple) else None
    if isinstance(value, list | tuple):
        return (tuple(value),) if tuple in attr.kind.literals else None
    return (value,)


def literal(attr: AttrSpec, item: object) -> bool:
    """Return whether `item` has the attr's type; `item` is an element of a default or a choice."""
    return attr.kind.literal(item)
