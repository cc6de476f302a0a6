"""From the text of a file to tables that fit the models."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path as FilePath
from typing import Any

from opgen.diagnostics import Diagnostic, Path, Where
from opgen.reading import MISSING_KEY, UNKNOWN_KEY, WRONG_TYPE
from opgen.source import SourceFile
from opgen.toml import read_toml

Table = dict[str, Any]

_MEANT = re.compile(r"did you mean `\w+`\?")

# The keys of a tensor that only some roles have.
ROLES: dict[str, tuple[str, ...]] = {
    "optional": ("inputs", "outputs", "residuals"),
    "update": ("inputs",),
    "init": ("outputs", "workspace"),
    "list": ("inputs", "outputs"),
    "layout": ("inputs", "outputs", "residuals"),
    "values": ("inputs",),
    "differentiable": ("inputs", "outputs"),
    "reduce": ("inputs", "outputs", "residuals"),
    "length": ("outputs",),
}
TENSOR_TABLES = ("inputs", "outputs", "residuals", "workspace")
MERGED = (*TENSOR_TABLES, "attrs", "dims", "descriptor")


@dataclass(frozen=True)
class Spec:
    """What one file says: plain tables as written, in file order.

    `broken` names the ops and templates that do not fit the models. They are not in
    `document`: their mistakes are reported already, and what refers to them is not to
    be blamed.
    """

    source: SourceFile
    document: Table
    broken: frozenset[str] = frozenset()

    @property
    def dtypes(self) -> Table:
        return self.document.get("dtypes", {})

    @property
    def templates(self) -> Table:
        return self.document.get("templates", {})

    @property
    def ops(self) -> Table:
        return self.document.get("ops", {})


def parse_spec(source: SourceFile) -> tuple[Spec | None, list[Diagnostic]]:
    """Read a spec and hold it against the models; every mistake is a diagnostic.

    None where the file as a whole cannot be used: its TOML, version or dtypes are wrong.
    """
    document, found = read_toml(source)
    if document is None:
        return None, found
    if "spec" not in document:
        return None, [_no_spec(source.path)]
    found += _misfits(source.path, document)
    if not found:
        return Spec(source, document), []
    slips = [d for d in found if d.rule == UNKNOWN_KEY.id and _MEANT.fullmatch(d.help)]
    others = [d for d in found if d not in slips]
    if slips:  # what stands under the key that was meant must fit it too
        document = _meant(document, slips)
        others += _misfits(source.path, document)
    places = [d.where.path[:2] for d in others]
    if any(len(p) < 2 or p[0] not in ("ops", "templates") for p in places):
        return None, found
    sound = {
        section: (
            table
            if not isinstance(table, dict)
            else {
                key: entry
                for key, entry in table.items()
                if (section, key) not in places
            }
        )
        for section, table in document.items()
    }
    broken = frozenset(str(name) for _, name in places)
    return Spec(source, sound, broken), found


def _meant(document: Table, slips: Iterable[Diagnostic]) -> Table:
    """The document with misspelt keys put right, so that the rest of an op is linted too."""
    from copy import deepcopy

    mended = deepcopy(document) if slips else document
    for slip in slips:
        *above, key = slip.where.path
        table = mended
        for step in above:
            table = table[step]
        meant = slip.help.split("`")[1]
        renamed = {meant if k == key else k: v for k, v in table.items()}
        table.clear()
        table.update(renamed)
    return mended


def _no_spec(file: str) -> Diagnostic:
    message = "the key `spec` is missing: this is no spec, or its version is not said"
    return MISSING_KEY.at(
        Where(file, (), "key"), message, "begin the file with `spec = 1`"
    )


def _misfits(file: str, document: Table) -> list[Diagnostic]:
    """What the models refuse, and what they cannot say: keys that go with a role."""
    from pydantic_core import ValidationError

    try:
        validator().validate_python(document)
    except ValidationError as error:
        from opgen.mistakes import diagnose

        errors = error.errors(include_url=False, include_input=False)
        refused = diagnose(file, document, errors)
    else:
        refused = []
    return refused + [*_misplaced(file, document), *_numbers(file, document)]


@cache
def validator() -> Any:
    """The models, compiled; from `models.json` where that fits the pydantic installed."""
    import pydantic_core

    text = FilePath(__file__).with_name("models.json").read_text()
    compiled = json.loads(text)
    if compiled["pydantic_core"] == pydantic_core.__version__:
        return pydantic_core.SchemaValidator(compiled["schema"])
    from opgen.models import adapter

    return adapter()


def _misplaced(file: str, document: Table) -> Iterator[Diagnostic]:
    """Keys that a tensor of this role does not have, and lists that are no `order`."""
    for path, entry in _tensors(document):
        role, name = path[-2:]
        if isinstance(entry, list) and name != "order":
            message = "expected a table; got a list"
            yield WRONG_TYPE.at(Where(file, path), message)
        elif isinstance(entry, dict):
            for key in entry:
                if role not in ROLES.get(key, TENSOR_TABLES):
                    yield _no_such_key(file, (*path, key), ROLES[key])
            yield from _forms(file, (*path, "shape"), entry.get("shape"), role)


def _forms(file: str, path: Path, shape: object, role: object) -> Iterator[Diagnostic]:
    """Lists of forms, also in cases: an input's hold some, others have none."""
    cases = {(): shape} if not isinstance(shape, dict) else {(k,): v for k, v in shape.items()}  # fmt: skip
    for below, forms in cases.items():
        if isinstance(forms, list) and (role != "inputs" or not forms):
            message = "expected a string: only an input has a list of forms"
            if role == "inputs":
                message = "expected at least one form"
            yield WRONG_TYPE.at(Where(file, (*path, *below)), message)


def _numbers(file: str, document: Table) -> Iterator[Diagnostic]:
    """Numbers that the models take for booleans: to Python, 0 equals `false`."""
    if type(document["spec"]) is not int:
        yield WRONG_TYPE.at(Where(file, ("spec",)), "expected the integer 1")
    for path, value in _droppable(document):
        if type(value) in (int, float) and not value and path[2] != "version":
            message = "expected `false` or a table; got 0"
            yield WRONG_TYPE.at(Where(file, path), message)


def _droppable(document: Table) -> Iterator[tuple[Path, object]]:
    """What `false` may drop: keys of ops, and entries of their tables."""
    for section in ("templates", "ops"):
        for op, keys in _items(document.get(section)):
            for key, value in _items(keys):
                yield (section, op, key), value
                if key in MERGED:
                    for name, entry in _items(value):
                        yield (section, op, key, name), entry


def _no_such_key(file: str, path: Path, roles: tuple[str, ...]) -> Diagnostic:
    *others, last = roles
    known = f"{', '.join(others)} and {last}" if others else last
    message = f"`{path[-1]}` is not a key of {path[-3]}"
    return UNKNOWN_KEY.at(Where(file, path, "key"), message, f"it is for {known}")


def _tensors(document: Table) -> Iterator[tuple[Path, object]]:
    for section in ("templates", "ops"):
        for op, keys in _items(document.get(section)):
            for role in TENSOR_TABLES:
                for name, entry in _items(_table(keys).get(role)):
                    yield (section, op, role, name), entry


def _table(value: object) -> Table:
    return value if isinstance(value, dict) else {}


def _items(value: object) -> Iterable[tuple[str, Any]]:
    return _table(value).items()
