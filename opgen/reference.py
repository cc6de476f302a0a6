"""The reference of the spec language: every key of every table, rendered from the models."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic.fields import FieldInfo
from typing_extensions import Required

from opgen.dtypes import DTYPES
from opgen.models import MODELS
from opgen.models.strings import Called, Condition
from opgen.models.types import Drop
from opgen.spec import ROLES, TENSOR_TABLES

# By model: the tables that it is the model of, as `opgen explain TABLE.KEY` names them, and
# how one is begun in a file. In the order of the page.
TABLES: dict[str, tuple[tuple[str, ...], str]] = {
    "Document": (("",), "a file"),
    "Op": (("ops", "templates"), "`[ops.NAME]`, `[templates.NAME]`"),
    "Tensor": (TENSOR_TABLES, "`inputs.NAME`, `outputs.NAME`, `residuals.NAME`, `workspace.NAME`"),
    "Attr": (("attrs",), "`attrs.NAME`"),
    "DimFunction": (("dims",), "`dims.NAME`"),
    "Grad": (("grad",), "`grad`"),
    "Call": (("backward",), "`grad.backward`"),
    "Sharding": (("sharding",), "`sharding`"),
    "Kernels": (("kernels",), "`kernels`"),
    "Kernel": (("cpu", "cuda"), "`kernels.PLATFORM`"),
    "DescriptorField": (("descriptor",), "`descriptor.NAME`"),
    "Cost": (("cost",), "`cost`"),
    "TorchOptions": (("torch",), "`torch`"),
    "JaxOptions": (("jax",), "`jax`"),
    "NeuronOptions": (("neuron",), "`neuron`"),
}  # fmt: skip
_HEAD = """\
# The keys of a spec

Every key of every table: what its value may be, what it says, how it is written. How they combine is in
[spec-language.md](spec-language.md). Rendered by `opgen reference` from the models that hold specs to account; `opgen explain KEY` prints
one key, and `opgen explain TABLE.KEY` that of one table.

*Cases* are a table from conditions to values of the kind before it: `{ "causal" = "a", else = "b" }`. `false` as the value of a table, or of an entry that
has a name, drops what `like` brought along.
"""


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a model: what its value may be, what it says, and examples in TOML."""

    model: str
    name: str
    type: str
    doc: str
    examples: tuple[str, ...]

    @property
    def roles(self) -> tuple[str, ...]:
        """The tensor tables that have it; none where all have, or it is of another model."""
        return ROLES.get(self.name, ()) if self.model == "Tensor" else ()


@cache
def keys() -> tuple[Key, ...]:
    """Every key, table by table in the order of the page, as the models have them."""
    return tuple(key for model in TABLES for key in _keys_of(model))


def find(text: str) -> list[Key]:
    """The keys of that name, in any table or, as `table.key`, in one."""
    *above, name = text.split(".")
    table = above[-1] if above else None
    return [
        key
        for key in keys()
        if key.name == name
        and (table is None or table in (key.roles or TABLES[key.model][0]))
    ]


def text_of(key: Key) -> str:
    """What `opgen explain` prints of a key."""
    where = _listed(key.roles) if key.roles else TABLES[key.model][1].replace("`", "")
    lines = [f"{key.name} (of {where}): {key.type}", "", key.doc, ""]
    return "\n".join([*lines, *(f"    {line}" for line in key.examples)]) + "\n"


def reference() -> str:
    """The page, as Markdown."""
    parts = [_HEAD]
    for model, (_, where) in TABLES.items():
        rows = [_row(key) for key in keys() if key.model == model]
        about = (MODELS[model].__doc__ or "").strip()
        parts.append(
            f"## {where[0].upper()}{where[1:]}\n\n{about}\n\n"
            "| key | value | what it says | for example |\n|---|---|---|---|\n"
            + "\n".join(rows)
            + "\n"
        )
    return "\n".join([*parts, _dtypes()])


# -- the page ----------------------------------------------------------------------------


def _row(key: Key) -> str:
    doc = f"*{_listed(key.roles)}.* {key.doc}" if key.roles else key.doc
    examples = "<br>".join(f"`{line}`" for line in key.examples)
    return _cells(f"`{key.name}`", key.type, doc, examples)


def _dtypes() -> str:
    rows = [
        _cells(f"`{d.name}`", str(d.code), str(d.bits), _code(d.torch), _code(d.jax), _code(d.cpp))
        for d in DTYPES.values()
    ]  # fmt: skip
    head = "| dtype | code | bits | PyTorch | JAX | C++ |\n|---|---|---|---|---|---|\n"
    return f"## Dtypes\n\nThe code is what a descriptor holds.\n\n{head}" + "\n".join(rows) + "\n"  # fmt: skip


def _code(name: str | None) -> str:
    return f"`{name}`" if name else "none"


def _cells(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _listed(words: tuple[str, ...]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


# -- the models --------------------------------------------------------------------------


def _keys_of(model: str) -> Iterator[Key]:
    for name, hint in get_type_hints(MODELS[model], include_extras=True).items():
        hint = get_args(hint)[0] if get_origin(hint) is Required else hint
        said = [m for m in get_args(hint) if isinstance(m, FieldInfo) and m.description]
        yield Key(
            model=model,
            name=name,
            type=_type(hint),
            doc=said[0].description or "",
            examples=tuple(
                f"{_bare(name)} = {toml(value)}" for value in said[0].examples or ()
            ),
        )


def _type(type_: Any) -> str:
    """A type as it is written: `[name, ...]`, `{ name = tensor }`, `"loop" or "none"`."""
    origin, arguments = get_origin(type_), get_args(type_)
    if origin is Annotated:
        called = (m for m in arguments[1:] if isinstance(m, Called))
        return next(called, None) or _type(arguments[0])
    if origin in (Union, UnionType):
        # What `false` drops is said once, at the head of the page.
        return _either([_type(a) for a in arguments if a != Drop])
    if origin is Literal:
        return _either([f"`{toml(value)}`" for value in arguments])
    if origin is list:
        return f"[{_type(arguments[0])}, ...]"
    if origin is dict:
        key, value = arguments
        return "cases" if key == Condition else f"{{ name = {_type(value)} }}"
    return {bool: "`true` or `false`", int: "integer", float: "number"}.get(type_, "table")  # fmt: skip


def _either(words: list[str]) -> str:
    if "number" in words:
        words = [word for word in words if word != "integer"]
    return f"{', '.join(words[:-1])} or {words[-1]}" if words[1:] else words[0]


# -- TOML --------------------------------------------------------------------------------


def toml(value: object) -> str:
    """A value of a spec as TOML, on one line."""
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
