"""The content of one spec file: its complete, typed ops, and the location of each value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any, Literal

from opgen.source.diagnostics import Path, Where
from opgen.source.frozen import dataclass
from opgen.source.source_file import SourceFile
from opgen.source.work import TooMuchWork, Work, spend
from opgen.spec.bundles import MemberSpec, read_bundles
from opgen.spec.inheritance import LikeError, idle, origin, parents, whole_op
from opgen.spec.models.attrs import DtypeSpec
from opgen.spec.models.ops import OpSpec, read_dtypes, read_op

Section = Literal["templates", "ops"]


@dataclass(frozen=True)
class Spec:
    """One spec file.

    `document` has the tables as written, without the ops and templates that do not fit the models.
    `broken` has the names of these invalid ops and templates. Their mistakes are already reported,
    so references to them are not findings. `remains` is a `Spec` with the valid parts of them.
    """

    source: SourceFile
    document: dict[str, Any] = field(repr=False)
    broken: frozenset[str] = frozenset()
    remains: Spec | None = None
    work: Work = field(default_factory=Work, repr=False)

    @property
    def file(self) -> str:
        return self.source.path

    @cached_property
    def dtypes(self) -> Mapping[str, DtypeSpec]:
        return read_dtypes(self.document.get("dtypes"))

    @cached_property
    def ops(self) -> Mapping[str, OpSpec]:
        """Return the ops with all inherited keys.

        An op is left out if its `like` names an unknown op, or is part of a cycle. The result ends
        before the first op that takes too much work.
        """
        found = {}
        with self.work:
            for name in self.names("ops"):
                try:
                    table = whole_op(self.document, name)
                    bundles = self.document.get("bundles", {})
                    found[name] = read_op(name, table, self.dtypes, bundles)
                except LikeError:
                    continue
                except TooMuchWork:
                    break
        return found

    @cached_property
    def bundles(self) -> Mapping[str, tuple[MemberSpec, ...]]:
        return read_bundles(self.document.get("bundles", {}))

    def names(self, section: Section) -> tuple[str, ...]:
        return tuple(self.document.get(section, {}))

    @cached_property
    def likes(self) -> Mapping[tuple[str, str], str]:
        """Return the `like` of ops and templates, by section and name."""
        return {
            (section, name): table["like"]
            for section in ("templates", "ops")
            for name, table in self.document.get(section, {}).items()
            if "like" in table
        }

    def parents(self, section: str, name: str) -> list[tuple[str, str]]:
        """Return an op or template and its ancestors, nearest first, each as (section, name)."""
        return parents(self.document, section, name)

    def idle(self) -> Iterator[tuple[Path, bool, str, tuple[str, ...]]]:
        """Return the names in `false` or `order` without effect; see `inheritance.idle`."""
        return idle(self.document)

    def place(self, op: str, *path: str | int) -> Where:
        """Return the location where the spec has `path` of an op.

        For a tensor of a bundle, this is in the bundle's member, or in the op's use of the bundle.
        """
        found = origin(self.document, op, path)
        if len(found) < len(path) + 2 and op in self.ops:
            for bundle in self.ops[op].bundles:
                spend(len(bundle.members))
                for member, tensor in bundle.members.items():
                    if path[:2] == (bundle.role, tensor):
                        inside = ("bundles", bundle.kind, member, *path[2:])
                        if self._has(inside):
                            return Where(self.file, inside)
                        return Where(self.file, origin(self.document, op, bundle.path))
        return Where(self.file, found)

    def _has(self, path: Path) -> bool:
        try:
            self.written(path)
        except (LookupError, TypeError):
            return False
        return True

    def written(self, path: Path) -> object:
        """Return the value at a path of the file."""
        value: Any = self.document
        for key in path:
            value = value[key]
        return value
