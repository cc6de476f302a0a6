"""Diagnostics: what is wrong, its place, what was expected, and how to fix it.

User mistakes are values: every pass returns a list of `Diagnostic`, so that one run shows them all.
A place is a path in the TOML document. Line and column are looked up only for a report
(`opgen.source.source_file`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Literal

from opgen.source.work import spend

Path = tuple[str | int, ...]


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Where:
    """A place in a file.

    `path` leads to a value of the document, `("ops", "relu", "inputs", "x", "shape")`;
    `part` says whether its key or its value is meant. `start` and `end` count characters
    of a string value as the program sees it (escapes decoded). With `absolute` they count
    characters of the file instead and `path` is empty: the place of a syntax error.
    """

    file: str
    path: Path = ()
    part: Literal["key", "value"] = "value"
    start: int | None = None
    end: int | None = None
    absolute: bool = False


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text at `where` with `text`."""

    where: Where
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.

    `rule` is a stable id ("OG102"), `name` its kebab-case name ("unknown-name").
    `message` is one sentence about what is wrong, `help` one about what to do.
    """

    rule: str
    name: str
    message: str
    where: Where
    help: str = ""
    severity: Severity = Severity.ERROR
    edits: tuple[Edit, ...] = ()


def errors(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics that stop the command."""
    return [d for d in diagnostics if d.severity is Severity.ERROR]


def unique(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Each finding once: a template's mistake is not repeated for each op that takes it."""
    found = {(d.rule, d.where, d.message): d for d in reversed(list(diagnostics))}
    return list(reversed(found.values()))


# Number of names to list if none is near.
LISTED = 50
# Other words for what is known, which are nearer to something else.
_ALSO = {"gpu": "cuda", "avg": "mean", "double": "float"}


def nearest(name: str, known: Collection[str]) -> str | None:
    """The known name that `name` is most likely a slip of, if one is near enough."""
    if not 0 < len(name) <= 64:
        return None
    if _ALSO.get(name.casefold()) in known:
        return _ALSO[name.casefold()]
    import difflib  # only a mistake pays for it

    spend(10 * len(known))
    folded = {k.casefold(): k for k in known}
    near = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    return folded[near[0]] if near else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A help text: the nearest known name, else the first of them."""
    known = list(known)
    near = nearest(name, known)
    if near is not None:
        return f"did you mean `{near}`?"
    more = f" and {len(known) - LISTED:,} more" if len(known) > LISTED else ""
    return "known: " + ", ".join(f"`{k}`" for k in known[:LISTED]) + more if known else ""
