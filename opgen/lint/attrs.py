"""Checks of literal values in specs against the types of attrs."""

from __future__ import annotations

from typing import Any

from opgen.spec.models.attrs import AttrSpec


def items_of(attr: AttrSpec, value: object) -> tuple[Any, ...] | None:
    """Return the elements of `value`, the literal value of an attr, as a tuple.

    For a scalar, the tuple has only `value`. Return None if `value` is a list but the attr is not,
    or if the attr is a list but `value` is not.
    """
    if attr.several:
        return tuple(value) if isinstance(value, list | tuple) else None
    if isinstance(value, list | tuple):
        return (tuple(value),) if tuple in attr.kind.literals else None
    return (value,)


def literal(attr: AttrSpec, item: object) -> bool:
    """Return whether an element of a default or choice has the type of the attr's elements."""
    return attr.kind.literal(item)
