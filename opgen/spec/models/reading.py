"""Convert the TOML tables of a spec to models, by the types of the models' keys.

A table may have values of a wrong type, which the validator reports. Here, such a value counts as
missing.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin

from opgen.source.diagnostics import Path
from opgen.source.frozen import dataclass
from opgen.spec.cases import Cases, fixed
from opgen.spec.let import Lets, as_written, expanded
from opgen.spec.models.strings import Condition, Expression, is_function
from opgen.spec.models.types import Drop, Key, Requirements

E = TypeVar("E")
M = TypeVar("M")
Reader = Callable[[Any, Path], Any]
# The result of a reader if the type of the value is not allowed for its key.
_MISFIT = object()


@dataclass(frozen=True)
class Requirement(Generic[E]):
    """A condition under `require`, and the error message if the condition fails.

    Diagnostics point to the condition in the spec: the key or the value (`part`) at `path`.

    `each` may name the length of a list. The condition then applies to every tensor of the list,
    and `i` is the index of the tensor.
    """

    condition: E
    message: str | None = None
    each: str | None = None
    path: Path = ()
    part: Literal["key", "value"] = "key"


class Options(dict[str, Any]):
    """The options in a target's table, by key. `options[key]` is None if the key is missing."""

    def __missing__(self, key: str) -> None:
        return None


@cache
def keys_of(cls: Any) -> dict[str, tuple[str, Key]]:
    """Return (field name, `Key`) for each key of a model, by the key's name in a spec."""
    found = ((f.name, f.metadata["key"]) for f in fields(cls) if "key" in f.metadata)
    return {key.name or name: (name, key) for name, key in found}


def read(cls: Callable[..., M], table: Any, path: Path, /, **more: Any) -> M:
    """Convert the table at `path` of an op to a `cls`. `more` has the values of other fields."""
    own = _readers(cls)
    for written, value in table.items():
        if written in own:
            name, convert = own[written]
            found = convert(value, (*path, written))
            if found is not _MISFIT and name not in more:
                more[name] = found
    return cls(**more)


@cache
def _readers(cls: Any) -> dict[str, tuple[str, Reader]]:
    return {k: (name, key.read or reader(key.type)) for k, (name, key) in keys_of(cls).items()}


@cache
def reader(type: Any) -> Reader:
    """Return the function that converts a value of the type `type` in a spec to its Python value."""
    if type == Requirements:
        return requirements
    if get_origin(type) is Annotated:
        return reader(get_args(type)[0])
    if get_origin(type) not in (Union, UnionType):
        return _alone(type)
    options = [option for option in get_args(type) if option != Drop]
    by_case = [option for option in options if is_by_case(option)]
    one = _either([reader(option) for option in options if option not in by_case])
    if not by_case:
        return one
    (inner,) = by_case
    each = reader(get_args(get_args(inner)[0])[1])

    def read(value: Any, path: Path) -> Any:
        if isinstance(value, dict):
            return cases(value, path, each)
        found = one(value, path)
        return found if found is _MISFIT else fixed(found)

    return read


def is_expression(type: Any) -> bool:
    """Return whether values of this type are expressions (as strings), or lists of expressions."""
    if type in (Expression, Condition):
        return True
    inside = get_args(type)
    if get_origin(type) is Annotated:
        return is_expression(inside[0])
    return get_origin(type) in (Union, UnionType, list) and any(map(is_expression, inside))


def is_by_case(type: Any) -> bool:
    """Return whether this type is a table of cases, which maps conditions to values."""
    inside = get_args(type)[0] if get_origin(type) is Annotated else type
    return get_origin(inside) is dict and get_args(inside)[0] == Condition


def _either(readers: list[Reader]) -> Reader:
    def read(value: Any, path: Path) -> Any:
        for each in readers:
            if (found := each(value, path)) is not _MISFIT:
                return found
        return _MISFIT

    return readers[0] if len(readers) == 1 else read


def _alone(type: Any) -> Reader:
    """Return the reader of a type that is not a union."""
    if get_origin(type) is list:
        item = reader(get_args(type)[0])

        def read_list(value: Any, path: Path) -> Any:
            if not isinstance(value, list):
                return _MISFIT
            found = [item(each, (*path, n)) for n, each in enumerate(value)]
            return tuple([each for each in found if each is not _MISFIT])

        return read_list
    if get_origin(type) is dict:
        entry = reader(get_args(type)[1])

        def read_table(value: Any, path: Path) -> Any:
            if not isinstance(value, dict):
                return _MISFIT
            found = {name: entry(each, (*path, name)) for name, each in value.items()}
            return {name: each for name, each in found.items() if each is not _MISFIT}

        return read_table
    if is_dataclass(type):
        cls: Any = type
        places = {n: at for n, at in _PLACES.items() if n in {f.name for f in fields(cls)}}

        def read_model(value: Any, path: Path) -> Any:
            if not isinstance(value, dict):
                return _MISFIT
            return read(cls, value, path, **{name: path[at] for name, at in places.items()})

        return read_model
    choices = get_args(type)
    kinds = tuple(map(builtins.type, choices)) or _KINDS[type]

    def read_value(value: Any, path: Path) -> Any:
        fits = isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))
        return value if fits else _MISFIT

    return read_value


# Fields that get a part of the path of their table: the last part, or the one before it.
_PLACES = {"name": -1, "table": -2}
_KINDS: dict[Any, tuple[type, ...]] = {
    str: (str,),
    bool: (bool,),
    int: (int,),
    float: (int, float),
}


# -- named conditions --------------------------------------------------------------------


def written_out(type: Any, value: Any, lets: Lets) -> Any:
    """Return `value`, of the type `type`, with the named conditions `lets` expanded in it."""
    if isinstance(value, str):
        late = is_expression(type) and not is_function(value)
        return expanded(value, lets) if late else value
    options = _options(type)
    if isinstance(value, list):
        items = [get_args(option)[0] for option in options if get_origin(option) is list]
        return [written_out(items[0], each, lets) for each in value] if items else value
    if not isinstance(value, dict):
        return value
    tables = [option for option in options if is_dataclass(option) or get_origin(option) is dict]
    for option in tables:
        if get_origin(option) is dict:
            name, entry = get_args(option)
            by_case = name == Condition
            return {
                expanded(k, lets) if by_case and k != "else" else k: written_out(entry, v, lets)
                for k, v in value.items()
            }
        keys = {name: key for name, (_, key) in keys_of(option).items()}
        if value.keys() <= keys.keys() or option is tables[-1]:
            return {k: _key(keys[k], v, value, lets) if k in keys else v for k, v in value.items()}
    return value


def _key(key: Key, value: Any, table: Any, lets: Lets) -> Any:
    """Return the `value` of one key of `table`, with named conditions expanded."""
    late = key.late and isinstance(value, str) and table.get("type") not in ("str", "dtype")
    return expanded(value, lets) if late else written_out(key.type, value, lets)


def _options(type: Any) -> list[Any]:
    """Return the members of a union; if `type` is not a union, a list of `type` alone."""
    if get_origin(type) is Annotated:
        return _options(get_args(type)[0])
    if get_origin(type) in (Union, UnionType):
        return [each for option in get_args(type) for each in _options(option)]
    return [getattr(type, "EACH", type)]


# -- any value ---------------------------------------------------------------------------


def cases(value: Any, path: Path, convert: Reader) -> Cases[Any]:
    """Read a value that may be a table of cases; `convert` reads the value of one case.

    In the result `else` comes last, because code that uses cases takes the first case that applies.
    """
    if not isinstance(value, dict):
        return fixed(convert(value, path))
    given = [(c, v) for c, v in value.items() if c != "else"]
    given += [("else", value["else"])] if "else" in value else []
    found = ((c, convert(v, (*path, as_written(c)))) for c, v in given)
    kept = ((None if c == "else" else c, v) for c, v in found if v is not _MISFIT)
    return Cases(tuple(kept), by_table=True)


def requirements(items: Any, path: Path) -> Any:
    """Read the list `require`: conditions, and tables that map conditions to error messages."""
    if not isinstance(items, list):
        return _MISFIT
    found: list[Requirement[str]] = []
    for n, item in enumerate(items):
        if isinstance(item, dict):
            for condition, said in item.items():
                place = (*path, n, as_written(condition))
                found.append(Requirement(condition, said, path=place))
        else:
            found.append(Requirement(item, path=(*path, n), part="value"))
    return tuple(found)


def frozen(value: Any) -> Any:
    """Return a value of a spec with all its lists converted to tuples."""
    if isinstance(value, dict):
        return {key: frozen(item) for key, item in value.items()}
    return tuple(map(frozen, value)) if isinstance(value, list) else value
