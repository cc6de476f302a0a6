"""Guess the intended keys and values of an invalid spec, so that lint can check the other ones.

A misspelled key is corrected. A value of the wrong type is converted to the type of its key: `"s"`
to `["s"]`, or `16` to `"16"`. A value that cannot be converted is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from typing import Any

from opgen.source.diagnostics import Diagnostic, Path
from opgen.source.parse_rules import UNKNOWN_KEY, WRONG_TYPE, WRONG_VALUE

Table = dict[str, Any]
Misfits = Callable[[Table], list[Diagnostic]]

_NOTHING = object()
_MEANT_KEY = re.compile(r"did you mean `(\w+)`\?")
_MEANT_VALUE = re.compile(r'did you mean "(\w+)"\?')
_TRUTH = {"true": True, "yes": True, "false": False, "no": False}
_NUMBER = re.compile(r"-?\d{1,18}(?:\.\d{1,18})?")


def as_meant(
    document: Table, found: Sequence[Diagnostic], misfits: Misfits
) -> tuple[Table, list[Diagnostic]]:
    """Return the document with likely corrections, and the findings that remain.

    `found` has the findings for `document`, and `misfits` returns the findings for any document.
    Each attempt corrects all mistakes at once. The number of attempts does not depend on the number
    of mistakes.
    """
    document = deepcopy(document)
    slips = [d for d in found if d.rule == UNKNOWN_KEY.id and _renamed(document, d)]
    left = [d for d in found if d not in slips]
    if slips:  # the corrected key may not allow the value
        left += [d for d in misfits(document) if d not in found]
    for read in _READINGS:
        wrong = [d for d in left if d.rule in (WRONG_TYPE.id, WRONG_VALUE.id)]
        before = {d.where.path: _get(document, d.where.path) for d in wrong}
        there = [d for d in wrong if before[d.where.path] is not _NOTHING]
        readings = {d.where.path: read(before[d.where.path], d.help) for d in there}
        readings = {path: v for path, v in readings.items() if v is not _NOTHING}
        if not readings:
            continue
        for path, value in readings.items():
            _set(document, path, value)
        places = [d.where.path for d in misfits(document)]
        for path in readings:
            if any(place[: len(path)] == path for place in places):
                _set(document, path, before[path])
            else:
                left = [d for d in left if d.where.path != path]
    return document, left


def without(document: Table, places: Iterable[Path]) -> Table:
    """Return the document without the values at `places`.

    If a value is inside a list, the result lacks the whole list.
    """
    document = deepcopy(document)
    for place in places:
        table, path = document, list(place)
        for depth, step in enumerate(path):
            if not isinstance(table, dict) or step not in table:
                break
            last = depth + 1 == len(path) or not isinstance(table[step], dict)
            if last:
                del table[step]
                break
            table = table[step]
    return document


# -- readings ----------------------------------------------------------------------------


def _suggested(value: object, help_: str) -> object:
    found = _MEANT_VALUE.fullmatch(help_)
    return found[1] if found else _NOTHING


def _listed(value: object, help_: str) -> object:
    return _NOTHING if isinstance(value, list) else [value]


def _alone(value: object, help_: str) -> object:
    return value[0] if isinstance(value, list) and len(value) == 1 else _NOTHING


def _quoted(value: object, help_: str) -> object:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if number else _NOTHING


def _bare(value: object, help_: str) -> object:
    if not isinstance(value, str):
        return _NOTHING
    if _NUMBER.fullmatch(value):
        return float(value) if "." in value else int(value)
    return _TRUTH.get(value.lower(), _NOTHING)


_READINGS = (_suggested, _listed, _alone, _quoted, _bare)


# -- places ------------------------------------------------------------------------------


def _renamed(document: Table, slip: Diagnostic) -> bool:
    """Rename the misspelled key of `slip`. Return False if the table has the intended key, too."""
    table = _get(document, slip.where.path[:-1])
    key, meant = slip.where.path[-1], _MEANT_KEY.fullmatch(slip.help)
    if meant is None or meant[1] in table:
        return False
    renamed = {meant[1] if k == key else k: v for k, v in table.items()}
    table.clear()
    table.update(renamed)
    return True


def _get(document: Any, path: Path) -> Any:
    """Return the value at `path`, or `_NOTHING` if the document has no such path."""
    for step in path:
        try:
            document = document[step]
        except (LookupError, TypeError):
            return _NOTHING
    return document


def _set(document: Any, path: Path, value: object) -> None:
    _get(document, path[:-1])[path[-1]] = value
