"""`Spec`: the content of one spec file, with its ops as objects and the location of each value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any, Literal

from opgen.source.cached import cached_property
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

    `document` has the TOML tables as written, without invalid ops and templates. `broken` has the
    names of these ops and templates. Their mistakes are already reported, so a reference to such a
    name is not a mistake. `remains` is a `Spec` with the valid parts of these ops and templates.
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
        """Return the ops of the file by name, with all inherited keys.

        The result lacks an op if its `like` names an unknown op, or is part of a cycle. If reading
        an op takes too much work, the result also lacks this op and all later ops.
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
        """Return the value of `like` for each op and template that has the key, by (section, name)."""
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
        """Return the entries of `false` and `order` that have no effect; see `inheritance.idle`."""
        return idle(self.document)

    def place(self, op: str, *path: str | int) -> Where:
        """Return the location in the file of the value at `path` of the op `op`.

        If the tensor comes from a bundle, this is the location in the bundle's member. If the
        member does not have the value, this is the location of the op's input or output.
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
        """Return the value at `path` in the file. Raises an error if there is none."""
        value: Any = self.document
        for key in path:
            value = value[key]
        return value
