"""`OpContext`: an op as lint rules see it, with inherited keys and with locations in the file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field, replace
from typing import Literal

from opgen.ir.kinds import kind_of
from opgen.language.call_variants import Combination, TooMany, Variants, value_of
from opgen.language.dtype_variables import DtypeVariables
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Expr, names_in
from opgen.language.scope import DEVICE, Scope, scope_of
from opgen.language.shapes import parse_shape
from opgen.lint.dtype_table import DtypeTable
from opgen.lint.expression_contexts import Site, op_sites, spans_in_shape
from opgen.lint.interplay import interplay
from opgen.lint.sizes import Sizes
from opgen.source.cached import cached_property
from opgen.source.diagnostics import Path, Where
from opgen.source.frozen import dataclass
from opgen.source.work import Work
from opgen.spec.let import places
from opgen.spec.models.ops import OpSpec
from opgen.spec.models.tensors import TensorSpec
from opgen.spec.spec import Spec

PLACEHOLDER = "{name}"


@dataclass(frozen=True, eq=False)
class OpContext:
    """An op from the spec file `home`.

    `table` has the dtype variables of that file, and `project` has the ops of all files.
    """

    spec: OpSpec
    home: Spec
    table: DtypeTable
    project: Project = field(repr=False)

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def file(self) -> str:
        return self.home.file

    @property
    def work(self) -> Work:
        return self.home.work

    @cached_property
    def scope(self) -> Scope:
        return scope_of(self.spec)

    @cached_property
    def dtypes(self) -> DtypeVariables:
        """Return the dtype variables of the file and of the op."""
        return DtypeVariables(self.spec.dtypes) if self.spec.own_dtypes else self.table

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        return tuple(op_sites(self.spec))

    @cached_property
    def shapes(self) -> tuple[tuple[Path, str, TensorSpec], ...]:
        """Return (path, shape string, tensor) for every shape that each tensor may have."""
        return tuple(
            ((*tensor.path, *form.path), form.text, tensor)
            for tensor in self.spec.tensors.values()
            for form in tensor.texts
        )

    @cached_property
    def types(self) -> dict[str, str]:
        """Return the type of every name; the type ends in `?` if the value may be absent."""
        spec, scope = self.spec, self.scope
        types = dict.fromkeys(spec.dims, "int") | dict.fromkeys(spec.let, "bool")
        types |= {n: "int" if k == "dim" else "ints" for n, k in scope.bound.items()}
        types |= dict.fromkeys(spec.dtypes, "dtype")
        for name, tensor in spec.tensors.items():
            kind = "tensor" if tensor.list is None else "list"
            types[name] = kind + "?" if tensor.absentable else kind
        for name, attr in spec.attrs.items():
            kind = scope.type_of(name) or "int"
            types[name] = kind + "?" if attr.may_be_none else kind
        return types

    @cached_property
    def cotangents(self) -> dict[str, str]:
        """Map the name of each cotangent to the name of its output: `dy` to `y`."""
        return {f"d{name}": name for name in self.spec.outputs}

    @cached_property
    def splittable(self) -> tuple[str, ...]:
        """Return all names that may be split: dims, groups, and attrs that shapes use as sizes."""
        held = {n for _, text, _ in self.shapes for n in parse_shape(text).names}
        attrs = (n for n in self.spec.attrs if n in held and self.types[n] in ("int", "ints"))
        return (*self.scope.bound, *attrs)

    @cached_property
    def elements(self) -> dict[str, str]:
        """Return the type of every name in a formula.

        In a formula, the name of a tensor or cotangent means one of its elements.
        """
        types = {c: self.element(o) for c, o in self.cotangents.items()}
        return types | self.types | {n: self.element(n) for n in self.spec.tensors}

    def element(self, tensor: str) -> str:
        """Return the type of a tensor's elements, with a final `?` if the tensor may be absent."""
        found = self.spec.tensors[tensor]
        kinds = {DTYPES[d].kind for d in self.scope.dtypes_of(found) if d in DTYPES}
        absent = "?" if found.absentable else ""
        if kinds & {"float", "complex"}:
            return "float" + absent
        return ("bool" if kinds == {"bool"} else "int") + absent

    def floating(self, tensor: str) -> bool:
        """Return whether a tensor may have a floating dtype."""
        return self.scope.floating(self.spec.tensors[tensor])

    def differentiable(self, tensor: str) -> bool:
        """Return whether an input may have a gradient."""
        return self.scope.differentiable(self.spec.inputs[tensor])

    @cached_property
    def sizes(self) -> Sizes:
        """Return the object that computes the op's sizes.

        Ops with equal inputs, attrs and dims share one object.
        """
        spec, inputs = self.spec, self.spec.inputs.values()
        bound = tuple((t.name, t.forms, t.optional, t.when, t.list) for t in inputs)
        key = (bound, tuple(spec.attrs.values()), tuple(spec.dims.values()))
        found = self.project.sizes.get(key)
        if found is None:
            found = self.project.sizes[key] = Sizes(self.scope)
        return found

    @cached_property
    def require(self) -> tuple[Expr, ...]:
        """Return the op's requirements, with derived dtype variables written out."""
        return tuple(self.over_free(site.expr) for site in self.sites if site.path[0] == "require")

    def over_free(self, condition: Expr) -> Expr:
        """Return `condition` with each derived dtype variable replaced by its definition."""
        return self.dtypes.over_free(condition)

    @cached_property
    def conditions(self) -> tuple[Expr, ...]:
        """Return all conditions that decide whether a tensor is present, or which case applies.

        The result includes the conditions under which the op has a gradient.
        """
        return tuple(
            self.over_free(site.expr)
            for site in self.sites
            if site.sees == "condition" or site.path[0] == "grad" and "require" in site.path
        )

    @cached_property
    def free_dtypes(self) -> dict[str, tuple[str, ...]]:
        """Return the possible dtypes of each free dtype variable."""
        return self.dtypes.given

    @cached_property
    def combinations(self) -> tuple[Combination, ...]:
        """Return combinations of options and dtypes that together represent all calls of the op.

        The result is empty if there are too many combinations to check.
        """
        return () if isinstance(self._combinations, TooMany) else self._combinations

    @property
    def too_many(self) -> int | None:
        """Return the number of combinations if there are too many to check, otherwise None."""
        many = self._combinations
        return many.count if isinstance(many, TooMany) else None

    @cached_property
    def _combinations(self) -> tuple[Combination, ...] | TooMany:
        try:
            return self.combined()
        except TooMany as many:
            return many

    @cached_property
    def _variants(self) -> Variants:
        return Variants(self.scope, self.conditions, self.free_dtypes, self.require)

    def combined(
        self, more: Iterable[Expr] = (), together: Iterable[Collection[str]] = ()
    ) -> tuple[Combination, ...]:
        """Return `combinations`, extended to also vary the names in the conditions `more`.

        For each entry of `together`, the result has all combinations of the names in the entry.
        Raises `TooMany` if there are too many combinations to check.
        """
        variants, more = self._variants, tuple(map(self.over_free, more))
        if more:
            conditions = (*self.conditions, *more)
            variants = Variants(self.scope, conditions, self.free_dtypes, self.require)
        return variants.combinations(
            lambda options: interplay(self, options, (*together, *map(names_in, more)))
        )

    def differentiated(self, path: Path, combination: Combination) -> bool:
        """Return whether the case of `grad` at `path` applies in calls of `combination`."""
        grad = value_of(self.spec.grad, combination.values)
        return path[: len(grad.path)] == grad.path

    def lookup(self, site: Site, name: str) -> str | None:
        """Return the type of `name` in the expression `site`; None if it may not be used there."""
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
        if site.sees == "kernel" and (name in DEVICE or name in self._tuned(site)):
            return "int"
        if site.sees == "argument" and name in self.cotangents:
            return "tensor?"
        return "int" if site.each and name == "i" else None

    def known(self, site: Site, name: str) -> bool:
        """Return whether `name` has a meaning in the expression `site`, even if it is forbidden."""
        if name in self.types or name in DTYPES:
            return True
        if site.sees in ("formula", "argument") and name in self.cotangents:
            return True
        if site.sees == "kernel" and name in self._tuned(site):
            return True
        return (site.sees == "kernel" and name in DEVICE) or (site.each and name == "i")

    def _tuned(self, site: Site) -> frozenset[str]:
        """Return the names of the tuned values of the kernel whose grid contains `site`."""
        kernels = (k for k in self.spec.kernels if (kind := kind_of(k)) and kind.tunes_grid)
        here = (k for k in kernels if site.path[:-1] == (*k.path, "grid"))
        return frozenset(name for kernel in here for name in kernel.tune)

    def at(
        self,
        path: Path,
        part: Literal["key", "value"] = "value",
        start: int | None = None,
        end: int | None = None,
    ) -> Where:
        """Return the location in the file of the op's value at `path`.

        If the op inherits the value by `like`, the location is in the op or template that has the
        value. If the value is missing, the location is that of the key of the table that should
        have the value. `start` and `end` are offsets in the value after the op's name has replaced
        `{name}`.
        """
        where = self.home.place(self.name, *path)
        if len(where.path) < len(path) + 2:
            return replace(where, part="key")
        if start is not None:
            start, end = self._unfilled(where.path, part, start, end)
        return replace(where, part=part, start=start, end=end)

    def in_shape(self, path: Path, text: str, name: str) -> Where:
        """Return the location where the shape `text` at `path` first uses the dim or group `name`.

        If only the definition of a derived dim uses the name, this is the whole shape.
        """
        start, end = next(iter(spans_in_shape(text, name)), (0, len(text)))
        return self.at(path, "value", start, end)

    def first_use(self, name: str) -> Where:
        """Return the first location where the shape of an input uses the dim or group `name`.

        For the length of a list, this is the location of the key `list`.
        """
        for tensor in self.spec.inputs.values():
            if tensor.list == name:
                return self.at((*tensor.path, "list"))
            for below, text in tensor.texts:
                if spans_in_shape(text, name):
                    return self.in_shape((*tensor.path, *below), text, name)
        return self.at(())

    def _unfilled(
        self, written: Path, part: Literal["key", "value"], start: int, end: int | None
    ) -> tuple[int, int | None]:
        """Convert offsets in an expanded string to offsets in the string as written in the file.

        Expansion replaces `{name}` by the op's name, and names from `let` by their conditions.
        """
        text = written[-1] if part == "key" else self.home.written(written)
        if not isinstance(text, str):
            return start, end
        if self.spec.let:
            filled = text.replace(PLACEHOLDER, self.name)
            origins = places(filled, self.spec.let)
            start = origins[min(start, len(origins) - 1)]
            end = None if end is None else max(start + 1, origins[min(end, len(origins) - 1)])
        if PLACEHOLDER not in text or part == "key":
            return start, end
        found: list[int] = []
        for n in range(len(text)):
            inside = text.rfind(PLACEHOLDER, 0, n + len(PLACEHOLDER))
            if inside < 0 or n >= inside + len(PLACEHOLDER):
                found.append(n)
            elif n == inside:
                found += [inside] * len(self.name)
        found.append(len(text))
        last = len(found) - 1
        return found[min(start, last)], None if end is None else found[min(end, last)]


@dataclass(frozen=True, eq=False)
class Project:
    """All ops of the spec files that are checked together.

    `elsewhere` has the names of the ops in the other specs of the project, which are not checked.
    `failed` has the ops in which rules of an earlier stage found an error.
    """

    specs: Sequence[Spec]
    elsewhere: frozenset[str] = frozenset()
    failed: set[OpContext] = field(default_factory=set)
    sizes: dict[tuple[object, ...], Sizes] = field(default_factory=dict)

    @cached_property
    def broken(self) -> frozenset[str]:
        """Return the names of ops and templates that could not be read.

        Rules skip them, because their mistakes have been reported.
        """
        return frozenset(name for spec in self.specs for name in spec.broken)

    @cached_property
    def tables(self) -> dict[str, DtypeTable]:
        """Return a `DtypeTable` with the dtype variables of each file, by file name."""
        return {s.file: DtypeTable(s.dtypes, s.file, dict(_named(s)), s.work) for s in self.specs}

    @cached_property
    def subjects(self) -> tuple[OpContext, ...]:
        return tuple(
            OpContext(op, spec, self.tables[spec.file], self)
            for spec in self.specs
            for op in spec.ops.values()
        )

    @cached_property
    def backwards(self) -> frozenset[str]:
        """Return the names of the ops that the gradient of another op calls."""
        return frozenset(call.op for op in self.subjects for call in op.spec.calls)

    @cached_property
    def stages(self) -> frozenset[str]:
        """Return the names of the ops that are stages of another op."""
        every = (op.spec.sharding.stages.values() for op in self.subjects)
        return frozenset(name for stages in every for names in stages for name in names)

    @cached_property
    def every_op(self) -> frozenset[str]:
        """Return the names of all ops, including ops whose `like` is invalid."""
        return self.elsewhere.union(name for spec in self.specs for name in spec.names("ops"))

    @cached_property
    def referenced(self) -> frozenset[str]:
        """Return the names of the backward ops of all ops that have a reference.

        The result includes the backward ops of these backward ops.
        """
        found: set[str] = set()
        todo = [op for op in self.subjects if op.spec.reference is not None]
        while todo:
            for call in todo.pop().spec.calls:
                if call.op not in found and call.op in self.by_name:
                    found.add(call.op)
                    todo.append(self.by_name[call.op])
        return frozenset(found)

    @cached_property
    def by_name(self) -> dict[str, OpContext]:
        """Return the ops by name. If several ops have the same name, the first one is used."""
        return {s.name: s for s in reversed(self.subjects)}


def _named(spec: Spec) -> Iterator[tuple[str, str]]:
    """Yield (name, description for messages) for each input and attr of the ops in a file."""
    for op in spec.ops.values():
        yield from ((name, f"an input of `{op.name}`") for name in op.inputs)
        yield from ((name, f"an attr of `{op.name}`") for name in op.attrs)
