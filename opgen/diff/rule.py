"""The definition of a compatibility rule, and of its findings."""

from __future__ import annotations

from typing import Literal

from opgen.source.frozen import dataclass

# Who a break affects: built libraries, saved programs, users' source code, or their numbers.
Category = Literal["ABI", "GRAPH", "SOURCE", "NUMERIC"]
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule. The docstring of its module is its documentation; an id must never be reused."""

    id: str
    name: str
    category: Category


@dataclass(frozen=True, slots=True)
class Break:
    """A break. `path` leads to its place below the op's table."""

    rule: Rule
    op: str
    message: str
    path: Path = ()
