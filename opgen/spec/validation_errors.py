"""Convert pydantic's errors to diagnostics: one for each location in a spec, in users' terms.

If a value fits no member of a union, pydantic reports an error for each member. opgen arranges
these errors in a tree that has the structure of the spec. At a union, opgen keeps only the errors
of the best matching member. If several members fail at the same location, opgen merges their errors
into one message, such as "expected a string or a table".
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, is_dataclass
from typing import Any

from pydantic_core import ErrorDetails

from opgen.source.diagnostics import Diagnostic, Path, Where, did_you_mean, nearest
from opgen.source.parse_rules import ILLEGAL_NAME, MISSING_KEY, UNKNOWN_KEY, WRONG_TYPE, WRONG_VALUE
from opgen.spec.keys import keys
from opgen.spec.models.document import MODELS, table_of
from opgen.spec.models.strings import EXPECTED
from opgen.spec.tables import TENSOR_TABLES

_KINDS = {
    "string_type": "a string",
    "dict_type": "a table",
    "list_type": "a list",
    "bool_type": "true or false",
    "int_type": "an integer",
    "float_type": "a number",
}


@dataclass
class _Node:
    """The errors at one location of the spec. `below` has the errors at locations inside it.

    The keys of `below` are the next parts of pydantic's locations.
    """

    errors: list[ErrorDetails] = field(default_factory=list)
    below: dict[str | int, _Node] = field(default_factory=dict)


def diagnose(
    file: str, data: dict[str, Any], found: Iterable[ErrorDetails]
) -> Iterator[Diagnostic]:
    """Yield diagnostics for the errors `found` in the spec `data`, in the order of the spec."""
    root = _Node()
    for error in found:
        node = root
        for part in error["loc"]:
            node = node.below.setdefault(part, _Node())
        node.errors.append(error)
    return _walk(file, root, data, (), "Document")


def _walk(file: str, node: _Node, value: Any, path: Path, model: str) -> Iterator[Diagnostic]:
    branches = {}
    for part, below in node.below.items():
        if part == "[key]":
            yield _bad_name(file, below.errors[0], path, str(path[-1]))
        elif _holds(value, part):
            inner = _model_below(model, path, part, value[part])
            yield from _walk(file, below, value[part], (*path, part), inner)
        elif below.errors and below.errors[0]["type"] == "missing":
            yield _missing(file, str(part), path)
        else:
            branches[part] = below
    own = [*node.errors]
    unfit = []
    near: list[tuple[int, list[Diagnostic]]] = []
    for part, below in branches.items():
        if below.errors:
            unfit += below.errors
        else:
            inner = str(part) if part in MODELS else model
            problems = list(_walk(file, below, value, path, inner))
            near.append((len({p.where for p in problems}), problems))
    if near:
        yield from min(near, key=lambda counted: counted[0])[1]
    elif own or unfit:
        yield _refuse(file, own + unfit, value, path, model)


def _holds(value: Any, part: str | int) -> bool:
    if isinstance(value, dict):
        return part in value
    return isinstance(value, list) and isinstance(part, int) and part < len(value)


def _model_below(model: str, path: Path, part: str | int, value: Any) -> str:
    """Return the name of the model for the entry `part` of a table.

    The table is at `path`, and its own model is `model`.
    """
    if len(path) == 1 and path[0] in ("ops", "templates"):
        return "Op"
    if len(path) == 2 and path[0] == "bundles":
        return "Tensor"
    key = MODELS[model].keys.get(str(part))
    if key is not None and is_dataclass(key.type) and isinstance(value, dict):
        return table_of(key.type).name
    return model


def _refuse(file: str, found: list[ErrorDetails], value: Any, path: Path, model: str) -> Diagnostic:
    """Return one diagnostic that names all values that are allowed at `path`."""
    kinds = {error["type"]: error for error in found}
    if "extra_forbidden" in kinds:
        return unknown_key(file, path, model)
    if "string_pattern_mismatch" in kinds:
        expected = EXPECTED[kinds["string_pattern_mismatch"]["ctx"]["pattern"]]
        message = f"expected {expected}; got {describe(value)}"
        help_ = _without_marks(expected, value) or _example(model, path)
        return WRONG_VALUE.at(Where(file, path), message, help_)
    others = [e for e in found if e["type"] not in {*_KINDS, "literal_error"}]
    if others:
        message = f"{_range(others[0])}; got {describe(value)}"
        return WRONG_VALUE.at(Where(file, path), message)
    choices = [c for e in found if e["type"] == "literal_error" for c in _choices(e)]
    wanted = [f'"{c}"' if isinstance(c, str) else str(c) for c in choices]
    if "float_type" in kinds:
        kinds.pop("int_type", None)
    wanted += [word for kind, word in _KINDS.items() if kind in kinds]
    message = f"expected {_either(wanted)}; got {describe(value)}"
    if path == ("spec",):
        help_ = "this opgen knows version 1 of the language: write `spec = 1`"
        return WRONG_TYPE.at(Where(file, path), message, help_)
    words = [c for c in choices if isinstance(c, str)]
    if isinstance(value, str) and words:
        near = nearest(value, words)
        help_ = f'did you mean "{near}"?' if near else _example(model, path)
        return WRONG_VALUE.at(Where(file, path), message, help_)
    if type(value) in (int, float) and "string_type" in kinds:
        help_ = f'an expression is written in quotes: `"{_toml(value)}"`'
    else:
        help_ = _as_table(value, path) or _example(model, path)
    return WRONG_TYPE.at(Where(file, path), message, help_)


def _without_marks(expected: str, value: object) -> str:
    """Return the fix for a name with extra characters, such as `*batch`; "" if there are none."""
    bare = value.strip("*` ") if isinstance(value, str) else ""
    named = expected.startswith("a name") and re.fullmatch(r"[A-Za-z]\w*", bare, re.A)
    return f'write `"{bare}"`' if named and bare != value else ""


def _as_table(value: object, path: Path) -> str:
    """Return an example table for an attr or tensor whose `value` is not a table, else ""."""
    where, name = ".".join(map(str, path[2:])), path[-1]
    if len(path) != 4 or path[0] != "ops" or isinstance(value, dict | list):
        return ""
    if path[2] == "attrs":
        kinds = {bool: "bool", int: "int", float: "float"}
        written = _quoted(value) if isinstance(value, str) else describe(value)
        return (
            f'`attrs.{name} = {{ type = "{kinds.get(type(value), "str")}", default = {written} }}`'
        )
    return f'`{where} = {{ dtype = "f32", shape = "*s" }}`' if path[2] in TENSOR_TABLES else ""


def _example(model: str, path: Path) -> str:
    """Return an example of the key at the end of `path`; "" if `model` does not have the key."""
    name = path[-1]
    for key in keys():
        if key.model == model and key.name == name:
            return f"for example: {' or '.join(f'`{line}`' for line in key.examples)}"
    return ""


def _choices(error: ErrorDetails) -> list[object]:
    """Return the values that pydantic lists as allowed in `error`.

    `false` is excluded, because it removes a key.
    """
    text = error["ctx"]["expected"]
    words = text.replace(" or ", ", ").split(", ")
    return [w[1:-1] if w[0] == "'" else int(w) for w in words if w != "False"]


def _either(wanted: list[str]) -> str:
    if len(wanted) < 2:
        return "".join(wanted)
    return ", ".join(wanted[:-1]) + " or " + wanted[-1]


def _range(error: ErrorDetails) -> str:
    limits = error.get("ctx", {})
    match error["type"]:
        case "greater_than_equal":
            return f"expected {limits['ge']} at least"
        case "less_than":
            return f"expected less than {limits['lt']}"
        case "string_too_long":
            return f"expected {limits['max_length']} characters at most"
        case "too_short":
            return f"expected {limits['min_length']} at least"
        case "too_long":
            return f"expected {limits['max_length']} at most"
        case "finite_number":
            return "expected a finite number"
    return error["msg"]


def unknown_key(file: str, path: Path, model: str) -> Diagnostic:
    """Return a finding for the unknown key at the end of `path`, in a table of the model `model`."""
    key = str(path[-1])
    where = Where(file, path, "key")
    message = f"unknown key `{_short(key)}`"
    return UNKNOWN_KEY.at(where, message, did_you_mean(key, MODELS[model].keys))


def _missing(file: str, key: str, path: Path) -> Diagnostic:
    message = f"the key `{key}` is missing"
    return MISSING_KEY.at(Where(file, path, "key"), message)


def _bad_name(file: str, error: ErrorDetails, path: Path, name: str) -> Diagnostic:
    pattern = error.get("ctx", {}).get("pattern")
    expected = f"expected {EXPECTED[pattern]}" if pattern else _range(error)
    message = f"`{_short(name)}` is not allowed here: {expected}"
    words = re.sub(r"(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z0-9])(?=[A-Z])", "_", name)
    lower = re.sub(r"\W+", "_", words).lower()
    fits = pattern and len(lower) <= 64 and re.fullmatch(pattern, lower)
    return ILLEGAL_NAME.at(Where(file, path, "key"), message, f"write `{lower}`" if fits else "")


def describe(value: Any) -> str:
    """Describe a value of a spec for messages, such as `a table` or `the string "x"`."""
    match value:
        case str():
            return f"the string {_quoted(_short(value))}"
        case bool() | int() | float():
            return _short(_toml(value))
        case dict():
            return "a table" if value else "an empty table"
        case list():
            return "a list" if value else "an empty list"
        case datetime.date() | datetime.time():
            return "a date or time"
    return type(value).__name__


def _toml(value: bool | int | float) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    # Python refuses to print an int of more than 4300 digits.
    return hex(value) if isinstance(value, int) and abs(value) >> 64 else repr(value)


def _short(text: str) -> str:
    text = text if len(text) <= 40 else text[:37] + "..."
    return text.encode("unicode_escape").decode() if not text.isprintable() else text


def _quoted(text: str) -> str:
    return f'"{text}"'
