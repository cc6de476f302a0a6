"""`let`: conditions that have a name, written out wherever the name is used.

What is read of an op knows no names of conditions: the text of an expression is the whole one, and
`written` what the spec has there, by which it is found again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from opgen.source.work import spend
from opgen.spec.tables import TENSOR_TABLES

Table = Mapping[str, Any]
Lets = Mapping[str, str]

# What an expression may have, with its names written out.
LONGEST = 1000
# A text in quotes, or a name that is no function.
_NAME = re.compile(r"'[^']*'|[A-Za-z_]\w*(?!\w*\s*\()")
# The keys of a tensor that may go by cases, and those that hold an expression.
_CASED = ("dtype", "shape", "layout", "values", "update")
_WHOLE = ("when", "init", "values")


class Expanded(str):
    """An expression with conditions in place of their names; `written` has the names."""

    written: str

    def __new__(cls, text: str, written: str) -> Expanded:
        made = super().__new__(cls, text)
        made.written = written
        return made


class TooLong(str):
    """An expression as it is written, whose conditions are too long to be written out.

    `first`: whether none of these conditions is too long itself.
    """

    first: bool

    def __new__(cls, text: str, first: bool) -> TooLong:
        made = super().__new__(cls, text)
        made.first = first
        return made


def as_written(text: str) -> str:
    """What a spec has where an op has `text`."""
    return text.written if isinstance(text, Expanded) else text


def lets_of(table: Table) -> dict[str, str]:
    """The named conditions of an op, each with those before it written out."""
    lets: dict[str, str] = {}
    given = table.get("let")
    for name, text in given.items() if isinstance(given, dict) else ():
        if isinstance(text, str):
            lets[name] = expanded(text, lets)
    return lets


def expanded(text: str, lets: Lets) -> str:
    """`text` with conditions in place of their names, where that is not too long."""
    held = [lets[m[0]] for m in _NAME.finditer(text) if m[0] in lets]
    if not held:
        return text
    length = len(text) + sum(map(len, held))
    spend(min(length, LONGEST) // 10)
    if length > LONGEST or any(isinstance(each, TooLong) for each in held):
        return TooLong(text, not any(isinstance(each, TooLong) for each in held))
    return Expanded(_NAME.sub(lambda m: f"({lets[m[0]]})" if m[0] in lets else m[0], text), text)


def places(text: str, lets: Lets) -> list[int]:
    """Where in `text` each character of its expansion comes from, and its end."""
    found: list[int] = []
    at = 0
    for match in _NAME.finditer(text):
        if match[0] in lets and len(found) <= LONGEST:
            found += [*range(at, match.start()), *[match.start()] * (len(lets[match[0]]) + 2)]
            at = match.end()
    return [*found, *range(at, len(text) + 1)]


def written_out(table: Table) -> Table:
    """The table of an op with every named condition written out where it is used."""
    lets = lets_of(table)
    if not lets:
        return table
    return {key: _Writer(lets).part(key, value) for key, value in table.items()}


class _Writer:
    def __init__(self, lets: Lets) -> None:
        self.lets = lets

    def part(self, key: str, value: Any) -> Any:
        """One key of an op."""
        if key in TENSOR_TABLES:
            return self.each(value, self.tensor)
        if key == "dtypes":
            return self.each(
                value, lambda dtype: dtype if isinstance(dtype, list) else self.texts(dtype)
            )
        if key == "attrs":
            return self.each(value, self.attr)
        if key == "dims":
            return self.each(value, lambda dim: dim if _has(dim, "fn") else self.texts(dim))
        if key == "descriptor":
            return self.each(value, lambda entry: self.keys(entry, value=self.texts))
        if key == "require":
            return self.texts(value)
        if key == "grad":
            return self.grad(value)
        if key == "sharding":
            return self.keys(value, split=self.cases)
        if key == "kernels" and isinstance(value, dict):
            return self.each(value, self.kernel)
        return self.texts(value) if key == "cost" else value

    def tensor(self, entry: Any) -> Any:
        rules = dict.fromkeys(_CASED, self.cases) | dict.fromkeys(_WHOLE, self.texts)
        return self.keys(entry, **rules, reduce=lambda table: self.each(table, self.cases))

    def kernel(self, entry: Any) -> Any:
        if isinstance(entry, list):
            return list(map(self.kernel, entry))
        return self.keys(entry, symbol=self.cases, require=self.texts)

    def attr(self, entry: Any) -> Any:
        literal = _has(entry, "type") and entry["type"] in ("str", "dtype")
        return entry if literal else self.keys(entry, default=self.texts)

    def grad(self, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        if not value.keys() & {"formulas", "backward", "require"}:
            return {self.key(c): self.grad(case) for c, case in value.items()}
        return self.keys(value, formulas=self.values, backward=self.calls, require=self.texts)

    def calls(self, value: Any) -> Any:
        if isinstance(value, list):
            return list(map(self.calls, value))
        return self.keys(value, args=self.values)

    def keys(self, entry: Any, **rules: Callable[[Any], Any]) -> Any:
        """A table, some of whose keys hold conditions."""
        if not isinstance(entry, dict):
            return entry
        return {k: rules[k](v) if k in rules else v for k, v in entry.items()}

    def each(self, table: Any, rule: Callable[[Any], Any]) -> Any:
        """A table of such tables."""
        return {n: rule(e) for n, e in table.items()} if isinstance(table, dict) else table

    def cases(self, value: Any) -> Any:
        """What may be a table from conditions to values."""
        return {self.key(k): v for k, v in value.items()} if isinstance(value, dict) else value

    def values(self, value: Any) -> Any:
        """A table from names to expressions."""
        return self.each(value, self.texts)

    def texts(self, value: Any) -> Any:
        """Expressions: one, a list, or a table from conditions to them."""
        if isinstance(value, str):
            return expanded(value, self.lets)
        if isinstance(value, list):
            return list(map(self.texts, value))
        if isinstance(value, dict):
            return {self.key(k): self.texts(v) for k, v in value.items()}
        return value

    def key(self, condition: str) -> str:
        return condition if condition == "else" else expanded(condition, self.lets)


def _has(entry: Any, key: str) -> bool:
    return isinstance(entry, dict) and key in entry
