"""Pack and unpack bundles: named tuples of tensors that are one argument or result of an op."""

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
    """Check argument `name`, a tuple of tensors, and return the tensors of the fields in `taken`.

    `fields` names all positions of the tuple, and `taken` names the fields that the op uses. The
    tuple must have at least `least` elements, and None for each field that the op does not use. If
    `optional` is set, `value` may be None. Raise TypeError for any other value.
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
    """Return the results `values` as one named tuple of type `kind`, or None if all of them are
    None.
    """
    return None if all(value is None for value in values) else kind(*values)
