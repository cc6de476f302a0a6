"""Cache the results of functions of one object, such as an op, that several modules call."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

C = TypeVar("C")
V = TypeVar("V")


def analysis(compute: Callable[[C], V]) -> Callable[[C], V]:
    """Decorate `compute`, so that each result is cached in the `__dict__` of the argument."""
    key = f"{compute.__module__}.{compute.__qualname__}"

    @wraps(compute)
    def remembered(context: C) -> V:
        known: dict[str, V] = context.__dict__
        try:
            return known[key]
        except KeyError:
            found = known[key] = compute(context)
            return found

    return remembered
