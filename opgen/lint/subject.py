"""What rules look at: one op, merged, with the way back to where it was written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from opgen.diagnostics import Path, Where
from opgen.families import LikeError, origin, whole_op
from opgen.scope import Scope

PLACEHOLDER = "{name}"


@dataclass(frozen=True, eq=False)
class Subject:
    """One op of the document in `file`. `project` holds all ops of all documents."""

    file: str
    document: Mapping
    scope: Scope
    project: Project = field(repr=False)

    @property
    def name(self) -> str:
        return self.scope.name

    @property
    def table(self) -> Mapping:
        return self.scope.table

    def at(
        self,
        path: Path,
        part: Literal["key", "value"] = "value",
        start: int | None = None,
        end: int | None = None,
    ) -> Where:
        """The place of `path` in the op, wherever `like` took it from.

        `start` and `end` count characters of the string there, after `{name}` was filled
        in. What was nowhere written is at the key it is missing from.
        """
        written = origin(self.document, self.name, path)
        if len(written) < len(path) + 2:
            return Where(self.file, written, "key")
        if start is not None and part == "value":
            start, end = self._unfilled(written, start, end)
        return Where(self.file, written, part, start, end)

    def _unfilled(
        self, written: Path, start: int, end: int | None
    ) -> tuple[int, int | None]:
        """Offsets in the string as it was written, where `{name}` is still a placeholder."""
        text: object = self.document
        for key in written:
            text = text[key]  # type: ignore[index]
        if not isinstance(text, str) or PLACEHOLDER not in text:
            return start, end
        places = []
        for n, char in enumerate(text):
            inside = text.rfind(PLACEHOLDER, 0, n + 1)
            if inside < 0 or n >= inside + len(PLACEHOLDER):
                places.append(n)
            elif n == inside:
                places += [inside] * len(self.name)
        places.append(len(text))
        last = len(places) - 1
        return places[min(start, last)], None if end is None else places[min(end, last)]


@dataclass(frozen=True, eq=False)
class Project:
    """Every op of every document, and the names whose `like` leads nowhere."""

    documents: Mapping[str, Mapping]

    @cached_property
    def subjects(self) -> tuple[Subject, ...]:
        return tuple(self._subjects())

    def _subjects(self) -> Iterator[Subject]:
        for file, document in self.documents.items():
            dtypes = document.get("dtypes", {})
            for name in document.get("ops", {}):
                try:
                    table = whole_op(document, name)
                except LikeError:
                    continue
                yield Subject(file, document, Scope(name, table, dtypes), self)

    @cached_property
    def by_name(self) -> dict[str, Subject]:
        """The first op of each name."""
        return {s.name: s for s in reversed(self.subjects)}
