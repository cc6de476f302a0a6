"""Parse the parts that lint needs from the schema of another library's op."""

from __future__ import annotations

import re

from opgen.source.frozen import dataclass

_RESULT = r"\w+(?:\([^)]*\))?[\[\]\d?!]*(?:\s+\w+)?"
_SCHEMA = re.compile(rf"\w+::\w+(?:\.\w+)?\((.*)\)\s*->\s*(\(.*\)|{_RESULT})")
_ARGUMENT = re.compile(
    r"([A-Z]\w*|int|float|bool|str|complex)(\([^)]*\))?(!)?([\[\]\d?!]*)\s+(\w+)\s*(=.*)?"
)


@dataclass(frozen=True)
class SchemaText:
    """The parts of a schema: its arguments, those that the op writes, and the number of results."""

    names: tuple[str, ...]
    written: frozenset[str]
    results: int


def read_schema(text: str) -> SchemaText | None:
    """Return the parsed schema, or None if `text` is not a schema."""
    match = _SCHEMA.fullmatch(re.sub(r"'[^']*'|\"[^\"]*\"", "''", text.strip()))
    if match is None:
        return None
    names, written = [], set()
    for part in re.split(r",(?![^(\[]*[)\]])", match[1]) if match[1].strip() else ():
        if part.strip() == "*":
            continue
        argument = _ARGUMENT.fullmatch(part.strip())
        if argument is None:
            return None
        _, alias, mark, _, name, _ = argument.groups()
        names.append(name)
        if mark or "!" in (alias or ""):
            written.add(name)
    given = match[2].strip("()").strip() if match[2].startswith("(") else match[2]
    fresh = [each for each in given.split(",") if each.strip() and "!" not in each]
    return SchemaText(tuple(names), frozenset(written), len(fresh))
