"""Collect all tables of the spec language, and build the pydantic validator of a spec from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, is_dataclass
from functools import cache
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from typing_extensions import TypedDict, is_typeddict

from opgen.source.frozen import dataclass
from opgen.spec.extensions import TargetError, extensions, imported
from opgen.spec.models.attrs import AttrSpec, FieldSpec
from opgen.spec.models.kernels import CostKeys, KernelSpec, TritonSpec
from opgen.spec.models.ops import DocumentKeys, LikeKeys, OpSpec
from opgen.spec.models.reading import keys_of
from opgen.spec.models.rules import CallSpec, GradSpec, ShardingSpec
from opgen.spec.models.strings import Limits
from opgen.spec.models.tensors import BundleKeys, TensorSpec
from opgen.spec.models.types import Doc, Drop, Key

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True, eq=False)
class Table:
    """A kind of table in a spec: its name, its documentation, and its keys by name."""

    name: str
    about: str
    keys: Mapping[str, Key]


def _table(name: str, about: str | None, *parts: Any) -> Table:
    """Return a `Table` with the keys of all `parts`: models, targets' `TypedDict`s, or dicts."""
    found: dict[str, Key] = {}
    for part in parts:
        own = part if isinstance(part, dict) else dict(_keys(part))
        if taken := found.keys() & own.keys():
            raise TargetError(f"a target cannot add `{min(taken)}`: {name} has that key")
        found |= own
    return Table(name, about or "", found)


def _keys(part: Any) -> Iterator[tuple[str, Key]]:
    if is_dataclass(part):
        yield from ((name, key) for name, (_, key) in keys_of(part).items())  # type: ignore[arg-type]
        return
    for name, hint in get_type_hints(part, include_extras=True).items():
        required = get_origin(hint) is Required
        type, *said = get_args(get_args(hint)[0] if required else hint)
        about = next(each for each in said if isinstance(each, Doc))
        others = tuple(each for each in said if each is not about)
        yield name, Key(name, Annotated[(type, *others)] if others else type, about, required)


def table_of(cls: Any) -> Table:
    """Return the `Table` of a model, or of a target's `TypedDict`."""
    return _OF[cls] if cls in _OF else _table(cls.__name__, cls.__doc__, cls)


def _parts() -> Iterator[tuple[Any, Table]]:
    """Yield (class, `Table`) for each target's options of an op, and for each model."""
    added: list[Any] = []  # for the keys of kernels
    options: dict[str, Key] = {}
    for name, extension in extensions().items():
        models = extension.models and imported(extension.models, name)
        if models and any(platform.keys for platform in extension.platforms):
            added.append(models.Kernel)
        if own := getattr(models, "Options", None):
            table = _table(f"{name.title().replace('_', '')}Options", own.__doc__, own)
            yield own, table
            first = next(iter(table.keys.values()))
            if not first.doc.examples:
                raise TargetError(f"target `{name}`: `{first.name}` needs a `doc` with an example")
            about = f"Options of the {extension.title} target."
            example = {first.name: first.doc.examples[0]}
            options[name] = Key(name, own | Drop, Doc(about, (example,)))
    merged: dict[Any, tuple[Any, ...]] = {
        TensorSpec: (BundleKeys, TensorSpec),
        KernelSpec: (KernelSpec, *added),
        OpSpec: (LikeKeys, OpSpec, options),
    }
    for cls in _MODELS:
        name = cls.__name__.removesuffix("Spec").removesuffix("Keys")
        yield cls, _table(_NAMES.get(name, name), cls.__doc__, *merged.get(cls, (cls,)))


_NAMES = {"Field": "DescriptorField"}
_MODELS: tuple[Any, ...] = (
    TensorSpec,
    AttrSpec,
    FieldSpec,
    CallSpec,
    GradSpec,
    ShardingSpec,
    KernelSpec,
    TritonSpec,
    CostKeys,
    OpSpec,
    DocumentKeys,
)
_OF = dict(_parts())
# The `Table` of each target's options of an op, by the key that holds the options.
OPTIONS = {
    name: table_of(hint)
    for name, key in _OF[OpSpec].keys.items()
    for hint in get_args(key.type)[:1]
    if is_typeddict(hint)
}


MODELS = {table.name: table for table in _OF.values()}


# -- for pydantic ------------------------------------------------------------------------


@cache
def adapter() -> TypeAdapter[Any]:
    """Return the pydantic validator of a whole spec."""
    from pydantic import TypeAdapter

    return TypeAdapter(_typed(table_of(DocumentKeys)))


@cache
def _typed(table: Table) -> Any:
    """Return the `TypedDict` by which pydantic validates a table."""
    from pydantic import ConfigDict, Field, with_config

    keys: dict[str, Any] = {}
    for name, key in table.keys.items():
        said = Field(description=key.doc.description, examples=list(key.doc.examples))
        hint: Any = Annotated[_for_pydantic(key.type), said]
        keys[name] = Required[hint] if key.required else hint
    # A type checker cannot know keys that are found at run time.
    model: Any = TypedDict(table.name, keys, total=False)  # type: ignore[misc]
    model.__doc__ = table.about
    return with_config(ConfigDict(extra="forbid", strict=True, allow_inf_nan=False))(model)


def _for_pydantic(type: Any) -> Any:
    """Convert the type of a key for pydantic: models to `TypedDict`s, and `Limits` to `Field`s."""
    from pydantic import Field

    origin, inside = get_origin(type), get_args(type)
    if is_dataclass(type) or is_typeddict(type):
        return _typed(table_of(type))
    if origin is Annotated:
        inner, *others = inside
        said = [each for each in others if isinstance(each, Limits)]
        limits = [{k: v for k, v in asdict(each).items() if v is not None} for each in said]
        inner = _for_pydantic(inner)
        return Annotated[(inner, *(Field(**each) for each in limits))] if limits else inner
    if origin in (Union, UnionType):
        return Union[tuple(map(_for_pydantic, inside))]  # noqa: UP007
    if origin in (list, dict):
        return origin[tuple(map(_for_pydantic, inside))]
    return type


def core_schema() -> Any:
    """Return the schema by which pydantic_core validates a spec, as data that JSON can store."""
    return _plain(adapter().core_schema)


def _plain(schema: Any) -> Any:
    """Return a core schema without metadata and classes, which validation does not need."""
    if isinstance(schema, dict):
        plain = {k: _plain(v) for k, v in schema.items() if k not in ("metadata", "cls")}
        return plain | {"cls_name": schema["cls"].__name__} if "cls" in schema else plain
    return [_plain(s) for s in schema] if isinstance(schema, list | tuple) else schema
