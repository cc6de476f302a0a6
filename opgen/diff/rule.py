"""The classes for compatibility rules and for the breaks that they find."""

from __future__ import annotations

from typing import Literal

from opgen.source.frozen import dataclass

# The categories tell what a break affects: compiled libraries, saved programs, the source code of
# users, or numerical results.
Category = Literal["ABI", "GRAPH", "SOURCE", "NUMERIC"]
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A compatibility rule. The docstring of its module documents it. An id is never reused."""

    id: str
    name: str
    category: Category


@dataclass(frozen=True, slots=True)
class Break:
    """A change of `op` that breaks programs. `path` is its location within the op's table."""

    rule: Rule
    op: str
    message: str
    path: Path = ()
