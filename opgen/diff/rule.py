"""The definition of a compatibility rule, and of its findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# Whom a break hits: built libraries; saved programs; people's source; their numbers.
Category = Literal["ABI", "GRAPH", "SOURCE", "NUMERIC"]
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule. The docstring of its module is its documentation; ids are never reused."""

    id: str
    name: str
    category: Category


@dataclass(frozen=True, slots=True)
class Break:
    """One thing that no longer holds. `path` leads to it below the op's table."""

    rule: Rule
    op: str
    message: str
    path: Path = ()
