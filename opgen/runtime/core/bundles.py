"""Bundles of tensors as arguments and results: packing and unpacking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


def members(
    op: str,
    name: str,
    value: Any,
    fields: Sequence[str],
    taken: Sequence[str],
    least: int,
    optional: bool,
) -> tuple[Any, ...]:
    """Return the tensors of the argument `name`, a tuple with the given `fields`, without the
    fields that the op leaves out.

    `taken` are the fields that the op uses. At least `least` of them must be present. Raise
    TypeError for any other value.
    """
    if value is None and optional:
        return (None,) * len(taken)
    expected = f"{op}: {name}: expected a tuple ({', '.join(fields)})"
    if not isinstance(value, (tuple, list)):
        raise TypeError(f"{expected}, got {type(value).__name__}")
    if not least <= len(value) <= len(fields):
        raise TypeError(f"{expected}, got one of {len(value)}")
    given = dict(zip(fields, value))
    for field in fields:
        if field not in taken and given.get(field) is not None:
            raise TypeError(f"{op}: {name}: expected no `{field}`")
    return tuple(given.get(field) for field in taken)


def bundle(kind: Callable[..., Any], *values: Any) -> Any:
    """Return the tensors as one result, a named tuple, or None if all are absent."""
    return None if all(value is None for value in values) else kind(*values)
