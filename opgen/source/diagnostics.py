"""Diagnostics: objects that describe a mistake, its location, the expected value, and the fix.

A user's mistake does not raise an exception. Every pass returns a list of `Diagnostic`, so that one
run shows all mistakes. A location is a path in the TOML document. Line and column are computed only
for a report (`opgen.source.source_file`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import Enum
from typing import Literal

from opgen.source.frozen import dataclass
from opgen.source.work import spend

Path = tuple[str | int, ...]


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Where:
    """A location in a file.

    `path` leads to a value of the TOML document: `("ops", "relu", "inputs", "x", "shape")`. `part`
    selects the key or the value. `start` and `end` count characters of the decoded string value.

    If `absolute` is set, `start` and `end` count characters of the file, and `path` is empty.
    Syntax errors use this form.
    """

    file: str
    path: Path = ()
    part: Literal["key", "value"] = "value"
    start: int | None = None
    end: int | None = None
    absolute: bool = False


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit of a file: the text at `where` is replaced by `text`."""

    where: Where
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding about a spec or another file.

    `rule` is a stable id ("OG102"), and `name` is the rule's kebab-case name ("unknown-name").
    `message` describes the mistake in one sentence, and `help` describes the fix.
    """

    rule: str
    name: str
    message: str
    where: Where
    help: str = ""
    severity: Severity = Severity.ERROR
    edits: tuple[Edit, ...] = ()


def errors(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics that are errors. Errors stop a command, warnings do not."""
    return [d for d in diagnostics if d.severity is Severity.ERROR]


def unique(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return each finding once, even if several ops inherit the same mistake from a template."""
    found = {(d.rule, d.where, d.message): d for d in reversed(list(diagnostics))}
    return list(reversed(found.values()))


# The number of names that a help text lists if no known name is similar.
LISTED = 50
# Other words for some known names. `nearest` would suggest wrong names for these words.
_ALSO = {"gpu": "cuda", "avg": "mean", "double": "float"}


def nearest(name: str, known: Collection[str]) -> str | None:
    """Return the known name that `name` most likely misspells, if one is similar enough."""
    if not 0 < len(name) <= 64:
        return None
    if _ALSO.get(name.casefold()) in known:
        return _ALSO[name.casefold()]
    import difflib  # imported here, because this slow import is needed only after a mistake

    spend(10 * len(known))
    folded = {k.casefold(): k for k in known}
    near = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    return folded[near[0]] if near else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return help for an unknown name: the most similar known name, or the first known names."""
    known = list(known)
    near = nearest(name, known)
    if near is not None:
        return f"did you mean `{near}`?"
    more = f" and {len(known) - LISTED:,} more" if len(known) > LISTED else ""
    return "known: " + ", ".join(f"`{k}`" for k in known[:LISTED]) + more if known else ""
