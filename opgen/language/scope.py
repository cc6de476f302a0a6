"""What the names of one op mean.

One namespace holds tensors, attrs, dims, groups, derived dims and dtype variables; only an
attr that *is* a dim (or, as `int[]`, a group) has its name twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from opgen.language.dtypes import DTYPES
from opgen.language.expr import Expr, IfElse, ParseError, names_in, parse_expr
from opgen.language.shapes import Dim, Group, parse_shape
from opgen.spec.attr_types import ATTR_TYPES, base_type
from opgen.spec.inheritance import TENSOR_TABLES, Table

# What a kernel may ask of its device.
DEVICE = ("arch", "sms")
RESERVED = ("i", *DEVICE)


def cases_of(value: object) -> list[tuple[str | None, object]]:
    """The (condition, value) pairs of what may be cases.

    The condition of `else` is None. It comes last, wherever it is written: a table has no
    order, and everything that reads cases takes the first that holds.
    """
    if not isinstance(value, Mapping):
        return [(None, value)]
    rest = [(None, value["else"])] if "else" in value else []
    return [pair for pair in value.items() if pair[0] != "else"] + rest


def as_expression(value: object) -> Expr:
    """An expression that may be cases, as one: `a if c else b`.

    Where no condition holds and there is no `else`, it is the last case.
    """
    *conditional, (_, last) = cases_of(value)
    found = parse_expr(str(last))
    for condition, item in reversed(conditional):
        found = IfElse(parse_expr(str(condition)), parse_expr(str(item)), found)
    return found


def shapes_of(entry: Mapping) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """(path below the entry, shape string) for every form and case of a tensor."""
    shape = entry.get("shape")
    for condition, forms in cases_of(shape):
        key: tuple[str | int, ...] = ("shape",)
        if isinstance(shape, dict):
            key += ("else" if condition is None else condition,)
        if isinstance(forms, list):
            yield from ((key + (n,), text) for n, text in enumerate(forms))
        elif isinstance(forms, str):
            yield key, forms


@dataclass(frozen=True)
class Scope:
    """The names of the merged op `table`, whose spec declares `dtypes`."""

    name: str
    table: Table
    dtypes: Mapping[str, object]

    def entries(self, *tables: str) -> Iterator[tuple[str, str, Table]]:
        """(table, name, entry) of the tensors in `tables` (default: all four)."""
        for table in tables or TENSOR_TABLES:
            yield from self._entries[table]

    @cached_property
    def _entries(self) -> dict[str, list[tuple[str, str, Table]]]:
        return {
            table: [
                (table, name, entry)
                for name, entry in self.section(table).items()
                if isinstance(entry, dict)
            ]
            for table in TENSOR_TABLES
        }

    def section(self, key: str) -> Table:
        section = self.table.get(key)
        return section if isinstance(section, dict) else {}

    @cached_property
    def tensors(self) -> dict[str, tuple[str, Table]]:
        return {name: (table, entry) for table, name, entry in self.entries()}

    @cached_property
    def attrs(self) -> Table:
        return self.section("attrs")

    @cached_property
    def derived(self) -> Table:
        """Derived dims: name to expression, or to a `{ fn = ... }` table."""
        return self.section("dims")

    @cached_property
    def functions(self) -> dict[str, str]:
        """The derived dims that Python functions compute, as `file.py:function`."""
        return {
            name: str(dim["fn"])
            for name, dim in self.derived.items()
            if isinstance(dim, dict) and "fn" in dim
        }

    @cached_property
    def dtype_vars(self) -> frozenset[str]:
        attrs = (
            n
            for n, a in self.attrs.items()
            if isinstance(a, dict) and a.get("type") == "dtype"
        )
        return frozenset(self.dtypes) | frozenset(attrs)

    @cached_property
    def bound(self) -> dict[str, str]:
        """Names of input shapes that are no attr, derived dim or dtype: `dim` or `group`."""
        found: dict[str, str] = {}
        for _, _, entry in self.entries("inputs"):
            length = entry.get("list")
            if isinstance(length, str) and length.isidentifier():
                found.setdefault(length, "dim")
            for _, text in shapes_of(entry):
                try:
                    terms = parse_shape(text).terms
                except ParseError:
                    continue
                for term in terms:
                    if isinstance(term, Group):
                        found.setdefault(term.name, "group")
                    elif isinstance(term, Dim):
                        for dim in names_in(term.size):
                            found.setdefault(dim, "dim")
        known = (*self.attrs, *self.derived, *DTYPES, *RESERVED)
        return {name: kind for name, kind in found.items() if name not in known}

    def type_of(self, name: str) -> str | None:
        """The type of a name in expressions; None where it is unknown.

        `int`, `float`, `bool`, `str`, `dtype`, `ints` (group, `int[]`), `floats`, `tensor`,
        `list`; a trailing `?` marks an attr that may be None.
        """
        if name in DTYPES:
            return "dtype"
        if name in self.attrs and isinstance(self.attrs[name], dict):
            return attr_type(self.attrs[name])
        if name in self.tensors:
            return "list" if "list" in self.tensors[name][1] else "tensor"
        if name in self.dtypes:
            return "dtype"
        if name in self.bound:
            return "int" if self.bound[name] == "dim" else "ints"
        if name in self.derived or name in RESERVED:
            return "int"
        return None


def has_late_default(attr: Mapping) -> bool:
    """Whether an attr has a default that follows from sizes."""
    default = attr.get("default")
    return isinstance(default, str) and attr.get("type") not in ("str", "dtype")


def attr_type(attr: Mapping) -> str | None:
    """The expression type of an attr entry."""
    text = str(attr.get("type"))
    known = ATTR_TYPES.get(base_type(text))
    return known.kind if known else text
