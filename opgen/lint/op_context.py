"""What rules look at: one op, merged, with the way back to where it was written."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from opgen.ir.gradients import GRAD_KEYS, grads_of
from opgen.language.call_variants import Combination, TooMany, case_of, combinations
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Expr
from opgen.language.scope import DEVICE, Scope, cases_of, shapes_of
from opgen.language.shapes import parse_shape
from opgen.lint.dtype_table import DtypeTable
from opgen.lint.expression_contexts import Site, calls_at, op_sites
from opgen.lint.sizes import Sizes
from opgen.source.diagnostics import Path, Where
from opgen.spec.inheritance import LikeError, origin, whole_op

PLACEHOLDER = "{name}"


@dataclass(frozen=True, eq=False)
class OpContext:
    """One op of the document in `file`. `project` holds all ops of all documents."""

    file: str
    document: Mapping
    scope: Scope
    dtypes: DtypeTable
    project: Project = field(repr=False)

    @property
    def name(self) -> str:
        return self.scope.name

    @property
    def table(self) -> Mapping:
        return self.scope.table

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        return tuple(op_sites(self.scope))

    @cached_property
    def shapes(self) -> tuple[tuple[Path, str, Mapping], ...]:
        """(path, shape string, entry of its tensor) of every form and case of every tensor."""
        return tuple(
            ((table, name, *below), text, entry)
            for table, name, entry in self.scope.entries()
            for below, text in shapes_of(entry)
        )

    @cached_property
    def types(self) -> dict[str, str]:
        """The type of every name; `?` at its end where it may be absent."""
        scope = self.scope
        types = dict.fromkeys(scope.derived, "int")
        types |= {n: "int" if k == "dim" else "ints" for n, k in scope.bound.items()}
        types |= dict.fromkeys(scope.dtypes, "dtype")
        for name, (_, entry) in scope.tensors.items():
            kind = "list" if "list" in entry else "tensor"
            types[name] = kind + "?" if self.absentable(entry) else kind
        for name, attr in scope.attrs.items():
            kind = scope.type_of(name) or "int"
            none = attr.get("optional") and "default" not in attr
            types[name] = kind + "?" if none else kind
        return types

    @staticmethod
    def absentable(entry: Mapping) -> bool:
        """Whether some call lacks the tensor. An empty list is an absent one."""
        return bool(entry.get("optional")) or "when" in entry or "list" in entry

    @cached_property
    def cotangents(self) -> dict[str, str]:
        """The name of each output's cotangent, and the output."""
        return {f"d{name}": name for name in self.scope.section("outputs")}

    @cached_property
    def splittable(self) -> tuple[str, ...]:
        """The dims and groups of the op, attrs that are one among them."""
        held = {n for _, text, _ in self.shapes for n in parse_shape(text).names}
        attrs = (n for n in self.scope.attrs if n in held and self.types[n] in ("int", "ints"))  # fmt: skip
        return (*self.scope.bound, *attrs)

    @cached_property
    def elements(self) -> dict[str, str]:
        """The type of every name where tensors, and cotangents, stand for their elements."""
        types = {c: self.element(o) for c, o in self.cotangents.items()}
        return types | self.types | {n: self.element(n) for n in self.scope.tensors}

    def element(self, tensor: str) -> str:
        """The type of a tensor's elements; a `?` at its end where it may be absent."""
        _, entry = self.scope.tensors[tensor]
        kinds = {DTYPES[d].kind for d in self.dtypes_of(entry) if d in DTYPES}
        absent = "?" if self.absentable(entry) else ""
        if kinds & {"float", "complex"}:
            return "float" + absent
        return ("bool" if kinds == {"bool"} else "int") + absent

    def floating(self, tensor: str) -> bool:
        """Whether a tensor may be of a floating dtype."""
        dtypes = self.dtypes_of(self.scope.tensors[tensor][1])
        return any(DTYPES[d].floating for d in dtypes if d in DTYPES)

    def differentiable(self, tensor: str) -> bool:
        """Whether an input may have a gradient: floating, only read, not said otherwise."""
        entry = self.scope.section("inputs")[tensor]
        said = entry.get("differentiable", True)
        return said and entry.get("update") is not True and self.floating(tensor)

    def dtypes_of(self, entry: Mapping) -> tuple[str, ...]:
        """Every dtype that a tensor may have."""
        found: dict[str, None] = {}
        for _, dtype in cases_of(entry["dtype"]):
            found |= dict.fromkeys(self.dtype_choices(str(dtype)))
        return tuple(found)

    def dtype_choices(self, name: str) -> tuple[str, ...]:
        """Every dtype that a dtype's name may stand for."""
        if name in self.dtypes.variables:
            return self.dtypes.choices[name]
        if name in self.scope.attrs:
            return tuple(self.scope.attrs[name].get("choices", DTYPES))
        return (name,)

    @cached_property
    def sizes(self) -> Sizes:
        """Shared by ops whose inputs, attrs and dims are alike: they are bound alike."""
        scope = self.scope
        key = repr((scope.section("inputs"), scope.attrs, scope.derived))
        found = self.project.sizes.get(key)
        if found is None:
            found = self.project.sizes[key] = Sizes(scope)
        return found

    @cached_property
    def require(self) -> tuple[Expr, ...]:
        """The op's requirements, over free dtype variables."""
        return tuple(
            self.over_free(site.expr)
            for site in self.sites
            if site.path[0] == "require"
        )

    def over_free(self, condition: Expr) -> Expr:
        """A condition with derived dtype variables written out."""
        return self.dtypes.over_free(condition)

    @cached_property
    def conditions(self) -> tuple[Expr, ...]:
        """What decides presence, cases and whether a gradient can be taken."""
        return tuple(
            self.over_free(site.expr)
            for site in self.sites
            if site.sees == "condition" or site.path[0] == "grad" and "require" in site.path  # fmt: skip
        )

    @cached_property
    def free_dtypes(self) -> dict[str, tuple[str, ...]]:
        """The free dtype variables, and what each may be."""
        return {
            n: tuple(v) for n, v in self.dtypes.variables.items() if isinstance(v, list)
        }

    @cached_property
    def combinations(self) -> tuple[Combination, ...]:
        """All ways to call the op; none where there are `too_many`."""
        return () if isinstance(self._combinations, TooMany) else self._combinations

    @property
    def too_many(self) -> int | None:
        """How many ways there are to call the op, where they cannot all be checked."""
        many = self._combinations
        return many.count if isinstance(many, TooMany) else None

    @cached_property
    def _combinations(self) -> tuple[Combination, ...] | TooMany:
        try:
            return self.combined(())
        except TooMany as many:
            return many

    def combined(self, more: Iterable[Expr]) -> tuple[Combination, ...]:
        """All ways to call the op, where `more` conditions too decide. Raises `TooMany`."""
        conditions = (*self.conditions, *more)
        return combinations(self.scope, conditions, self.free_dtypes, self.require)

    def differentiated(self, path: Path, combination: Combination) -> bool:
        """Whether the case of `grad` in which `path` stands is the one that holds."""
        grad = self.table["grad"]
        if set(grad) <= GRAD_KEYS:
            return True
        condition, _ = cases_of(grad)[case_of(grad, combination.values)]
        return path[1] == (condition or "else")

    def lookup(self, site: Site, name: str) -> str | None:
        """The type of `name` where `site` stands; None: unknown there."""
        if site.sees in ("element", "formula"):
            found = self.elements.get(name)
            if site.sees == "element" and name not in self.types:
                found = None
        else:
            found = self.types.get(name)
        if found is not None:
            return found
        if name in DTYPES:
            return "dtype"
        if site.sees == "kernel" and name in DEVICE:
            return "int"
        if site.sees == "argument" and name in self.cotangents:
            return "tensor?"
        return "int" if site.each and name == "i" else None

    def known(self, site: Site, name: str) -> bool:
        """Whether `name` means something where `site` stands."""
        if name in self.types or name in DTYPES:
            return True
        if site.sees in ("formula", "argument") and name in self.cotangents:
            return True
        return (site.sees == "kernel" and name in DEVICE) or (site.each and name == "i")

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
        places: list[int] = []
        for n in range(len(text)):
            inside = text.rfind(PLACEHOLDER, 0, n + len(PLACEHOLDER))
            if inside < 0 or n >= inside + len(PLACEHOLDER):
                places.append(n)
            elif n == inside:
                places += [inside] * len(self.name)
        places.append(len(text))
        last = len(places) - 1
        return places[min(start, last)], None if end is None else places[min(end, last)]


@dataclass(frozen=True, eq=False)
class Project:
    """Every op of every document.

    `broken` are ops that are in no document, since their mistakes are known already;
    `failed` those with errors in the stages so far.
    """

    documents: Mapping[str, Mapping]
    broken: Collection[str] = ()
    failed: set[OpContext] = field(default_factory=set)
    sizes: dict[str, Sizes] = field(default_factory=dict)

    @cached_property
    def tables(self) -> dict[str, DtypeTable]:
        """The dtype variables of each document, by file."""
        return {
            file: DtypeTable(file, document.get("dtypes", {}))
            for file, document in self.documents.items()
        }

    @cached_property
    def subjects(self) -> tuple[OpContext, ...]:
        return tuple(self._subjects())

    def _subjects(self) -> Iterator[OpContext]:
        for file, document in self.documents.items():
            table = self.tables[file]
            for name in document.get("ops", {}):
                try:
                    merged = whole_op(document, name)
                except LikeError:
                    continue
                scope = Scope(name, merged, table.variables)
                yield OpContext(file, document, scope, table, self)

    @cached_property
    def backwards(self) -> frozenset[str]:
        """The ops that some op's gradient calls."""
        return frozenset(
            called
            for subject in self.subjects
            for _, path, grad in grads_of(subject.scope)
            for _, called, _ in calls_at(path, grad)
        )

    @cached_property
    def stages(self) -> frozenset[str]:
        """The ops that are stages of some op."""
        return frozenset(
            name
            for subject in self.subjects
            for names in subject.scope.section("sharding").get("stages", {}).values()
            for name in names
        )

    @cached_property
    def every_op(self) -> frozenset[str]:
        """The names of all ops, also of those that could not be merged."""
        return frozenset(n for d in self.documents.values() for n in d.get("ops", {}))

    @cached_property
    def referenced(self) -> frozenset[str]:
        """The ops that are a backward of one with a reference, directly or not."""
        found: set[str] = set()
        todo = [s for s in self.subjects if "reference" in s.table]
        while todo:
            subject = todo.pop()
            for _, path, grad in grads_of(subject.scope):
                for _, called, _ in calls_at(path, grad):
                    if called not in found and called in self.by_name:
                        found.add(called)
                        todo.append(self.by_name[called])
        return frozenset(found)

    @cached_property
    def by_name(self) -> dict[str, OpContext]:
        """The first op of each name."""
        return {s.name: s for s in reversed(self.subjects)}
