"""Parse a spec file to a `Spec`, and report all values that the spec language does not allow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import Any

from opgen.source.diagnostics import Diagnostic, Path, Where
from opgen.source.parse_rules import (
    MISSING_KEY,
    UNKNOWN_KEY,
    UNREADABLE_FILE,
    WRONG_TYPE,
    WRONG_VALUE,
)
from opgen.source.source_file import SourceFile
from opgen.source.terminal import unseen
from opgen.source.toml import read_toml
from opgen.spec.models.strings import EXPECTED, FUNCTION, is_function
from opgen.spec.models.tensors import TABLES_OF
from opgen.spec.recovery import as_meant, without
from opgen.spec.spec import Spec
from opgen.spec.tables import MERGED, TENSOR_TABLES
from opgen.spec.validator import validator

Table = dict[str, Any]
# The tables whose tensors may have a list of shapes (forms).
_WITH_FORMS = ("inputs", "bundles")
# The maximum number of mistakes that are reported at once.
MISTAKES_AT_MOST = 200


def parse_spec(source: SourceFile) -> tuple[Spec | None, list[Diagnostic]]:
    """Read a spec and check it against the models; return it with a diagnostic for each mistake.

    Instead of the `Spec`, returns None if the TOML, the version or the dtypes of the file are
    invalid.
    """
    document, found = read_toml(source)
    if document is None:
        return None, found
    if "spec" not in document:
        return None, [_no_spec(source.path)]
    found += _misfits(source, document)
    if not found:
        return Spec(source, document), []
    if len(found) > MISTAKES_AT_MOST:
        message = f"there are more than {MISTAKES_AT_MOST} mistakes: these are the first"
        where = Where(source.path, (), "key")
        return None, [*found[:MISTAKES_AT_MOST], UNREADABLE_FILE.at(where, message)]
    meant, left = as_meant(document, found, lambda d: _misfits(source, d))
    if not left:
        return Spec(source, meant), found
    places = [d.where.path for d in left]
    if any(len(p) < 2 or p[0] not in ("ops", "templates") for p in places):
        return None, found
    broken = {place[:2] for place in places}
    return (
        Spec(
            source,
            _sections(meant, lambda *entry: entry not in broken),
            frozenset(str(name) for _, name in broken),
            Spec(
                source,
                _sections(
                    without(meant, places),
                    lambda *entry: entry in broken or entry[0] == "templates",
                ),
            ),
        ),
        found,
    )


def _sections(document: Table, keep: Callable[[str, str], bool]) -> Table:
    """Return the document with only the ops and templates for which `keep` returns True."""
    return {
        section: (
            {name: op for name, op in table.items() if keep(section, name)}
            if section in ("ops", "templates")
            else table
        )
        for section, table in document.items()
    }


def _no_spec(file: str) -> Diagnostic:
    message = "the key `spec` is missing: this is no spec, or its version is not said"
    return MISSING_KEY.at(Where(file, (), "key"), message, "begin the file with `spec = 1`")


def _misfits(source: SourceFile, document: Table) -> list[Diagnostic]:
    """Return a diagnostic for each mistake that the models, or the checks in this module, find."""
    from pydantic_core import ValidationError

    file, text = source.path, source.text
    try:
        validator().validate_python(document)
    except ValidationError as error:
        from opgen.spec.validation_errors import diagnose

        errors = error.errors(include_url=False, include_input=False)
        refused = diagnose(file, document, errors)
    else:
        refused = iter(())
    found = (
        refused,
        _misplaced(file, document),
        _numbers(file, document),
        _functions(file, document),
        () if text.isascii() and "\\" not in text else _invisible(file, document, ()),
    )
    return list(islice(chain.from_iterable(found), MISTAKES_AT_MOST + 1))


def _misplaced(file: str, document: Table) -> Iterator[Diagnostic]:
    """Yield findings for tensors that are lists, or have a key that is not for their table."""
    for path, entry in (*_tensors(document), *_members(document)):
        role, name = path[0] if path[0] == "bundles" else path[-2], path[-1]
        if isinstance(entry, list) and name != "order":
            message = "expected a table; got a list"
            yield WRONG_TYPE.at(Where(file, path), message)
        elif isinstance(entry, dict):
            for key in entry:
                if key in TABLES_OF and role not in TABLES_OF[key]:
                    yield _no_such_key(file, (*path, key), TABLES_OF[key])
            if isinstance(entry.get("shape"), dict | list):
                yield from _forms(file, (*path, "shape"), entry["shape"], role)


def _functions(file: str, document: Table) -> Iterator[Diagnostic]:
    """Yield findings for derived dims whose Python function is named in an invalid way."""
    for section in ("templates", "ops"):
        for op, keys in _items(document.get(section)):
            for dim, value in _items(_table(keys).get("dims")):
                if isinstance(value, str) and ".py:" in value and not is_function(value):
                    where = Where(file, (section, op, "dims", dim))
                    yield WRONG_VALUE.at(where, f"expected {EXPECTED[FUNCTION]}")


def _invisible(file: str, value: object, path: Path) -> Iterator[Diagnostic]:
    """Yield findings for characters that are invisible, or that change the order of shown text."""
    if isinstance(value, str):
        if not value.isascii():
            yield from _unseen(Where(file, path), value)
    elif isinstance(value, dict):
        for key, item in value.items():
            if not key.isascii():
                yield from _unseen(Where(file, (*path, key), "key"), key)
            if isinstance(item, str | dict | list):
                yield from _invisible(file, item, (*path, key))
    elif isinstance(value, list):
        for n, item in enumerate(value):
            yield from _invisible(file, item, (*path, n))


def _unseen(where: Where, text: str) -> Iterator[Diagnostic]:
    found = next(filter(unseen, text), None)
    if found is not None:
        message = f"the text holds an invisible character, U+{ord(found):04X}"
        yield WRONG_VALUE.at(where, message, "remove it")


def _forms(file: str, path: Path, shape: object, role: object) -> Iterator[Diagnostic]:
    """Yield findings for lists of shapes that are empty, or that the table `role` forbids."""
    cases = {(): shape} if not isinstance(shape, dict) else {(k,): v for k, v in shape.items()}
    for below, forms in cases.items():
        if isinstance(forms, list) and (role not in _WITH_FORMS or not forms):
            message = "expected a string: only an input has a list of forms"
            if role in _WITH_FORMS:
                message = "expected at least one form"
            yield WRONG_TYPE.at(Where(file, (*path, *below)), message)


def _numbers(file: str, document: Table) -> Iterator[Diagnostic]:
    """Yield findings for zeros in places where the spec language allows `false`.

    The models accept such a zero, because 0 equals `False` in Python. Also yields a finding if the
    key `spec` equals 1 but is not an integer.
    """
    if document["spec"] == 1 and type(document["spec"]) is not int:
        yield WRONG_TYPE.at(Where(file, ("spec",)), "expected the integer 1")
    for path in _zeros(document):
        yield WRONG_TYPE.at(Where(file, path), "expected `false` or a table; got 0")


def _zeros(document: Table) -> Iterator[Path]:
    """Yield the path of each op key and each table entry that is 0, and could be `false`."""
    for section in ("templates", "ops"):
        for op, keys in _items(document.get(section)):
            for key, value in _items(keys):
                if _is_zero(value):
                    yield section, op, key
                if key in MERGED:
                    zeros = (name for name, entry in _items(value) if _is_zero(entry))
                    yield from ((section, op, key, name) for name in zeros)


def _is_zero(value: object) -> bool:
    return not value and type(value) in (int, float)


def _no_such_key(file: str, path: Path, roles: tuple[str, ...]) -> Diagnostic:
    *others, last = roles
    known = f"{', '.join(others)} and {last}" if others else last
    role = path[0] if path[0] == "bundles" else path[-3]
    message = f"`{path[-1]}` is not a key of {role}"
    return UNKNOWN_KEY.at(Where(file, path, "key"), message, f"it is for {known}")


def _tensors(document: Table) -> Iterator[tuple[Path, object]]:
    for section in ("templates", "ops"):
        for op, keys in _items(document.get(section)):
            for role in TENSOR_TABLES:
                for name, entry in _items(_table(keys).get(role)):
                    yield (section, op, role, name), entry


def _members(document: Table) -> Iterator[tuple[Path, object]]:
    for bundle, members in _items(document.get("bundles")):
        for name, entry in _items(members):
            yield ("bundles", bundle, name), entry


def _table(value: object) -> Table:
    return value if isinstance(value, dict) else {}


def _items(value: object) -> Iterable[tuple[str, Any]]:
    return _table(value).items()
