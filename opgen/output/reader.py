"""Read specs in several processes.

Each process reads some specs. To divide the specs into groups, the processes only exchange the
names that the specs may share.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from opgen.compiler.framework_files import imported
from opgen.output.cache import Part
from opgen.output.spec_groups import ties
from opgen.source.diagnostics import Diagnostic
from opgen.source.source_file import SourceFile
from opgen.spec.parse import parse_spec
from opgen.spec.spec import Spec


class Read(NamedTuple):
    """The names that each spec may share, and the mistakes in the text of specs."""

    tied: dict[str, frozenset[str]]
    misread: list[Diagnostic]


class Reader:
    """Reads specs. `tied` and `misread` are as in `Read`, but of all processes."""

    def __init__(self, sources: Mapping[str, SourceFile], package: str) -> None:
        self.sources, self.package = sources, package
        self.tied: dict[str, frozenset[str]] = {}
        self.misread: list[Diagnostic] = []
        self._specs: dict[str, Spec] = {}

    def read(self, paths: Iterable[str]) -> Read:
        """Read the specs at `paths`."""
        read = Read({}, [])
        for path in paths:
            spec, found = parse_spec(self.sources[path])
            read.misread.extend(found)
            read.tied[path] = frozenset()
            if spec is not None:
                read.tied[path] = ties(spec).union(imported(path, self.package))
                self._specs[path] = spec
        return read

    def join(self, every: Iterable[Read], parts: dict[str, Part], names: frozenset[str]) -> None:
        """Add the names and mistakes that all processes found.

        Also read the specs in `parts` that have one of the added names or one of `names`. Remove
        the specs that were read from `parts`.
        """
        holders: dict[str, list[str]] = {}
        for path, part in parts.items():
            for name in part.ties:
                holders.setdefault(name, []).append(path)
        for read in every:
            self.tied |= read.tied
            self.misread += read.misread
        names = names.union(*self.tied.values())
        while todo := sorted({p for n in names for p in holders.pop(n, ()) if p in parts}):
            for path in todo:
                del parts[path]
            read = self.read(todo)
            self.tied |= read.tied
            self.misread += read.misread
            names = frozenset().union(*read.tied.values())

    def specs_of(self, paths: Iterable[str]) -> dict[str, Spec]:
        """Return the specs at `paths`, without those that could not be read."""
        unread = [path for path in paths if path not in self._specs]
        self.read(unread)
        return {path: self._specs[path] for path in paths if path in self._specs}
