"""All keys of the spec language, each with a description of its type, and with examples."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from typing_extensions import is_typeddict

from opgen.source.diagnostics import Path
from opgen.source.frozen import dataclass
from opgen.spec.models.document import MODELS, OPTIONS, table_of
from opgen.spec.models.ops import DocumentKeys
from opgen.spec.models.strings import Called, Condition
from opgen.spec.models.tensors import TABLES_OF
from opgen.spec.models.types import Drop
from opgen.spec.tables import TENSOR_TABLES

# For each model: its tables, by the names that `opgen explain TABLE.KEY` uses, and how a spec
# writes such a table. docs/reference.md shows the models in this order.
TABLES: dict[str, tuple[tuple[str, ...], str]] = {
    "Document": (("",), "a file"),
    "Op": (("ops", "templates"), "`[ops.NAME]`, `[templates.NAME]`"),
    "Tensor": (
        (*TENSOR_TABLES, "bundles"),
        "`inputs.NAME`, `outputs.NAME`, `residuals.NAME`, `workspace.NAME`, an entry of "
        "`[bundles.NAME]`",
    ),
    "Attr": (("attrs",), "`attrs.NAME`"),
    "Grad": (("grad",), "`grad`"),
    "Call": (("backward",), "`grad.backward`"),
    "Sharding": (("sharding",), "`sharding`"),
    "Kernel": (("kernels",), "an entry of `kernels`"),
    "Triton": (("triton",), "`triton`, of an entry of `kernels`"),
    "DescriptorField": (("descriptor",), "`descriptor.NAME`"),
    "Cost": (("cost",), "`cost`"),
    **{table.name: ((name,), f"`{name}`") for name, table in OPTIONS.items()},
}


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a table in a spec: its allowed values, its documentation, and examples in TOML."""

    model: str
    name: str
    type: str
    doc: str
    examples: tuple[str, ...]

    @property
    def roles(self) -> tuple[str, ...]:
        """Return the tensor tables that have the key.

        The result is empty if all tensor tables have the key, or if the key is not for tensors.
        """
        return TABLES_OF.get(self.name, ()) if self.model == "Tensor" else ()


@cache
def keys() -> tuple[Key, ...]:
    """Return every key, table by table, in the order of docs/reference.md."""
    return tuple(
        Key(
            model=model,
            name=name,
            type=_type(key.type),
            doc=key.doc.description,
            examples=tuple(f"{_bare(name)} = {toml(value)}" for value in key.doc.examples),
        )
        for model in TABLES
        for name, key in MODELS[model].keys.items()
    )


def types_at(path: Path) -> list[Any]:
    """Return the types that the value at `path` of a spec may have; empty if no key leads there."""
    found: list[Any] = [DocumentKeys]
    for part in path:
        tables = [type for type in found if _is_table(type) and part in table_of(type).keys]
        below = (type for each in tables or found for type in _below(each, part))
        found = [each for type in below for each in _alternatives(type)]
    return found


def keys_at(path: Path) -> list[Key]:
    """Return the keys that the table at `path` of a spec may have."""
    models = {table_of(type).name for type in types_at(path) if _is_table(type)}
    role = "bundles" if path[:1] == ("bundles",) else path[-2] if len(path) > 1 else None
    return [k for k in keys() if k.model in models and (not k.roles or role in k.roles)]


def _below(type: Any, part: str | int) -> Iterator[Any]:
    """Yield the type of the entry `part` of a table or list of the type `type`, if there is one."""
    if _is_table(type):
        if (found := table_of(type).keys.get(str(part))) is not None:
            yield found.type
    elif get_origin(type) is dict:
        yield get_args(type)[1]
    elif get_origin(type) is list and isinstance(part, int):
        yield get_args(type)[0]


def _alternatives(type: Any) -> Iterator[Any]:
    """Yield the members of a union, without the limits on the lengths of tables and lists."""
    origin, inside = get_origin(type), get_args(type)
    if origin in (Union, UnionType):
        for each in inside:
            yield from _alternatives(each)
    elif origin is Annotated and inside[0] not in (str, int, float):
        yield from _alternatives(inside[0])
    else:
        yield type


def _is_table(type: Any) -> bool:
    return is_dataclass(type) or is_typeddict(type)


def _type(type_: Any) -> str:
    """Describe a type for the reference: `[name, ...]`, `{ name = tensor }`, `"loop" or "none"`."""
    origin, arguments = get_origin(type_), get_args(type_)
    if origin is Annotated:
        called = (m for m in arguments[1:] if isinstance(m, Called))
        return next(called, None) or _type(arguments[0])
    if origin in (Union, UnionType):
        # The reference explains `false` once, at the top, so the types of keys omit it.
        return _either([_type(a) for a in arguments if a != Drop])
    if origin is Literal:
        return _either([f"`{toml(value)}`" for value in arguments])
    if origin is list:
        return f"[{_type(arguments[0])}, ...]"
    if origin is dict:
        key, value = arguments
        return "cases" if key == Condition else f"{{ name = {_type(value)} }}"
    return {bool: "`true` or `false`", int: "integer", float: "number"}.get(type_, "table")


def _either(words: list[str]) -> str:
    if "number" in words:
        words = [word for word in words if word != "integer"]
    return f"{', '.join(words[:-1])} or {words[-1]}" if words[1:] else words[0]


# -- TOML --------------------------------------------------------------------------------


def toml(value: object) -> str:
    """Return a value of a spec as TOML, on one line."""
    match value:
        case dict():
            items = (f"{_bare(str(k))} = {toml(v)}" for k, v in value.items())
            return f"{{ {', '.join(items)} }}"
        case list():
            return f"[{', '.join(map(toml, value))}]"
        case bool():
            return str(value).lower()
        case str():
            return json.dumps(value, ensure_ascii=False)
    return repr(value)


def _bare(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml(key)
