"""Literal values of attrs: of which type they are."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.spec.attr_types import type_of_attr


def kind_of(attr: Mapping) -> str:
    """The type of an attr's elements: `int` of `int[2]`."""
    return str(attr["type"]).partition("[")[0]


def length_of(attr: Mapping) -> int | None:
    """How many elements an attr always has: 2 for `int[2]`; None where that is open."""
    inside = str(attr["type"]).partition("[")[2].removesuffix("]")
    return int(inside) if inside else None


def items_of(attr: Mapping, value: object) -> list | None:
    """The elements of a literal: itself, unless the attr is a list. None: misfit."""
    several = "[" in str(attr["type"])
    if several != isinstance(value, list):
        return None
    return value if isinstance(value, list) else [value]


def literal(attr: Mapping, item: object) -> bool:
    """Whether one element is of the attr's type. `true` is no number."""
    kind, allowed = kind_of(attr), type_of_attr(str(attr["type"])).literals
    return isinstance(item, allowed) and isinstance(item, bool) == (kind == "bool")
