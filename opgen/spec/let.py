"""Expand the named conditions of an op (the table `let`) in every expression that uses the names.

The models of an op only have expanded expressions, without names of conditions. `written` keeps the
text in the spec, by which diagnostics find the position of an expression.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from opgen.source.work import spend

Table = Mapping[str, Any]
Lets = Mapping[str, str]

# The maximum length of an expanded expression, in characters.
LONGEST = 1000
# A string in single quotes, or a name that is not followed by `(`.
_NAME = re.compile(r"'[^']*'|[A-Za-z_]\w*(?!\w*\s*\()")


class Expanded(str):
    """An expression with named conditions expanded. `written` is its text in the spec."""

    written: str

    def __new__(cls, text: str, written: str) -> Expanded:
        made = super().__new__(cls, text)
        made.written = written
        return made


class TooLong(str):
    """An expression that would be too long if its named conditions were expanded.

    `first` is True if none of these conditions is a `TooLong` itself.
    """

    first: bool

    def __new__(cls, text: str, first: bool) -> TooLong:
        made = super().__new__(cls, text)
        made.first = first
        return made


def as_written(text: str) -> str:
    """Return the text in the spec from which `text` was expanded, or else `text` itself."""
    return text.written if isinstance(text, Expanded) else text


def lets_of(table: Table) -> dict[str, str]:
    """Return the named conditions of an op, with the names of earlier conditions expanded."""
    lets: dict[str, str] = {}
    given = table.get("let")
    for name, text in given.items() if isinstance(given, dict) else ():
        if isinstance(text, str):
            lets[name] = expanded(text, lets)
    return lets


def expanded(text: str, lets: Lets) -> str:
    """Return `text` with each name in `lets` replaced by its condition.

    If the result would be too long, returns a `TooLong` instead.
    """
    held = [lets[m[0]] for m in _NAME.finditer(text) if m[0] in lets]
    if not held:
        return text
    length = len(text) + sum(map(len, held))
    spend(min(length, LONGEST) // 10)
    if length > LONGEST or any(isinstance(each, TooLong) for each in held):
        return TooLong(text, not any(isinstance(each, TooLong) for each in held))
    return Expanded(_NAME.sub(lambda m: f"({lets[m[0]]})" if m[0] in lets else m[0], text), text)


def places(text: str, lets: Lets) -> list[int]:
    """Return, for each character of the expanded `text` and for its end, the offset in `text`."""
    found: list[int] = []
    at = 0
    for match in _NAME.finditer(text):
        if match[0] in lets and len(found) <= LONGEST:
            found += [*range(at, match.start()), *[match.start()] * (len(lets[match[0]]) + 2)]
            at = match.end()
    return [*found, *range(at, len(text) + 1)]
