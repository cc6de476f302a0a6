"""Completion of the text at the cursor: possible keys of a table, or possible values of a key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, get_args, get_origin

from opgen.docs.reference import text_of
from opgen.language.dtypes import DTYPES
from opgen.language.expr.syntax import FUNCTIONS, IN_FORMULAS
from opgen.lint.op_context import OpContext
from opgen.lsp.cursor import MARK, Gap
from opgen.spec.attr_types import ATTR_TYPES, FIELD_TYPES
from opgen.spec.keys import keys_at, types_at
from opgen.spec.models.strings import (
    AttrType,
    Condition,
    Expression,
    FieldType,
    Name,
    OpName,
    Reduction,
    Shape,
)
from opgen.spec.parse import parse_spec

# Tables in which the author chooses the keys, which are names.
DECLARING = {"inputs", "outputs", "residuals", "workspace", "attrs", "dims", "let", "dtypes"}
DECLARING |= {"descriptor", "cost", "bundles", "ops", "templates"}
REDUCTIONS = ("sum", "max", "min", "mean", "sum_exp", "same", "local")


class Choice(NamedTuple):
    """A possible completion. `detail` is a short description, such as the type of a name."""

    text: str
    kind: Literal["key", "value", "bare value", "name", "function"]
    detail: str = ""
    documentation: str = ""


def choices(gap: Gap, ops: Iterable[str]) -> list[Choice]:
    """Return the possible completions of the word at `gap`. `ops` are the project's op names."""
    path, op = gap.cursor.path, gap.cursor.op
    if gap.cursor.part == "key":
        return [*_keys(gap, op)]
    before = gap.cursor.source.text[gap.start - 1 : gap.start]
    found = (c for type in types_at(path) for c in _values(type, gap, op, ops, before == "*"))
    return [*{choice.text: choice for choice in found}.values()]


def _keys(gap: Gap, op: OpContext | None) -> Iterator[Choice]:
    table = gap.cursor.path[:-1]
    written = {p[-1] for p in gap.cursor.source.spans if p[:-1] == table}
    for key in keys_at(table):
        if key.name not in written:
            yield Choice(key.name, "key", key.type, text_of(key))
    named = any(get_origin(t) is dict and get_args(t)[0] == Name for t in types_at(table))
    if op is not None and named and table[-1] not in DECLARING:
        yield from _names(op)


def _values(
    type: Any, gap: Gap, op: OpContext | None, ops: Iterable[str], group: bool
) -> Iterator[Choice]:
    path = gap.cursor.path
    if get_origin(type) is Literal:
        yield from (Choice(value, "value") for value in get_args(type) if value is not False)
    elif type is bool:
        yield from (Choice(word, "bare value") for word in ("true", "false") if gap.quoted)
    elif type == OpName:
        spec = parse_spec(gap.cursor.source)[0]
        like = (*spec.names("templates"), *spec.names("ops")) if spec is not None else ()
        yield from (Choice(name, "name") for name in (like if path[-1] == "like" else ops))
    elif type in (AttrType, FieldType, Reduction):
        known: Mapping[Any, Iterable[str]] = {AttrType: ATTR_TYPES, FieldType: FIELD_TYPES}
        yield from (Choice(word, "value") for word in known.get(type, REDUCTIONS))
    elif type in (Name, Expression) and ("dtypes" in path or path[-1] == "dtype"):
        yield from (Choice(d.name, "value", f"{d.bits} bits") for d in DTYPES.values())
        yield from _dtype_variables(gap, op)
    elif type == Shape:
        for choice in _names(op):
            if choice.detail in ("int", "ints") and not (group and choice.detail == "int"):
                star = "*" if choice.detail == "ints" and not group else ""
                yield choice._replace(text=star + choice.text)
    elif type in (Name, Expression, Condition):
        dims = path[2:3] == ("sharding",)
        yield from (c for c in _names(op) if not dims or c.detail in ("int", "ints"))
        if type != Name:
            called = IN_FORMULAS if "formulas" in path else FUNCTIONS
            yield from (Choice(name, "function") for name in called)


def _names(op: OpContext | None) -> Iterator[Choice]:
    """Yield a completion for each name that the op declares, with the type of the name."""
    if op is not None:
        for name, type in (op.types | dict.fromkeys(op.cotangents, "tensor")).items():
            if MARK not in name:
                yield Choice(name, "name", type)


def _dtype_variables(gap: Gap, op: OpContext | None) -> Iterator[Choice]:
    """Yield a completion for each dtype variable of the op or, without an op, of the file."""
    spec = parse_spec(gap.cursor.source)[0]
    names = op.spec.dtypes if op is not None else spec.dtypes if spec is not None else ()
    yield from (Choice(name, "name", "dtype") for name in names if MARK not in name)
