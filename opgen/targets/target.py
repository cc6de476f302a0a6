"""The interface of a target: a package that renders files from the IR."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from opgen.ir.project import Family, Project, Whole


@dataclass(frozen=True)
class OutputFile:
    """A rendered file. `path` is relative to `out`, with `/` between its parts.

    A formatter lays Python out, unless a file is a `verbatim` copy of another.
    """

    path: str
    text: str
    verbatim: bool = False

    @property
    def data(self) -> bytes:
        return self.text.encode()

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


class Target(Protocol):
    """A target of opgen: its module `render`.

    `project` holds the family and everything that it names. If its shared files need more of a
    family than its name and ops, a target has `summary`. Otherwise summaries are None.
    """

    def family_outputs(self, project: Project, family: Family) -> Iterable[OutputFile]: ...

    def summary(self, project: Project, family: Family) -> Any: ...

    def shared_outputs(self, whole: Whole, summaries: Sequence[Any]) -> Iterable[OutputFile]: ...
