"""Define the interface of a target, a package that renders files from the IR."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from opgen.source.cached import cached_property
from opgen.source.frozen import dataclass

if TYPE_CHECKING:
    from opgen.ir.project import Family, Project, Whole


@dataclass(frozen=True)
class OutputFile:
    """A rendered file. Its `path` is relative to the output folder and uses `/`.

    opgen formats Python files, except `verbatim` ones, which are copies or are already formatted.
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
    """The interface of a target's module `render`.

    `project` contains the family to render and all ops that it refers to. A target defines
    `summary` if its shared files need more than the names and ops of families. Without `summary`,
    each summary is None.
    """

    def family_outputs(self, project: Project, family: Family) -> Iterable[OutputFile]: ...

    def summary(self, project: Project, family: Family) -> Any: ...

    def shared_outputs(self, whole: Whole, summaries: Sequence[Any]) -> Iterable[OutputFile]: ...
