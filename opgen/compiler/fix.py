"""Corrections of specs that are certain: `opgen lint --fix`.

Each is tried on the text, and stays if the finding is gone and the file is still read as far.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import NamedTuple

from opgen.compiler.pipeline import check, parse_all
from opgen.lint.rules.unknown_dtype import ELSEWHERE
from opgen.source.diagnostics import Diagnostic, errors
from opgen.source.source_file import SourceFile

# How alike a name and its correction are at least, as difflib measures.
CERTAIN = 0.8
_QUOTED = re.compile(r"`([^`]+)`")
_MEANT = re.compile(r"did you mean `([^`]+)`\?")
# A value that only lacks its quotes.
_BARE = re.compile(r"[A-Za-z_]\w*(?=[ \t]*(?:[,}\]\n#]|$))")
_COMMENTS = re.compile(r"(?:#[^\n]*\n)*\n*")


class Edit(NamedTuple):
    """The text that takes the place of the characters from `start` to `end`."""

    start: int
    end: int
    text: str


def fixed(source: SourceFile) -> SourceFile:
    """Return the spec with all corrections that are certain."""
    refused: set[tuple[str, str, str]] = set()
    found = _found(source)
    while True:
        for diagnostic in found:
            key = (diagnostic.rule, diagnostic.message, str(diagnostic.where))
            tried = None if key in refused else _tried(diagnostic, source)
            if tried is not None:
                _, source, found = tried
                break
            refused.add(key)
        else:
            return source


def correction(diagnostic: Diagnostic, source: SourceFile) -> Edit | None:
    """The edit that corrects one finding, if that is certain."""
    tried = _tried(diagnostic, source)
    return tried[0] if tried else None


def _tried(
    diagnostic: Diagnostic, source: SourceFile
) -> tuple[Edit, SourceFile, list[Diagnostic]] | None:
    """A correction, the spec with it, and what is then found; None if it is not certain."""
    for edit in _edits(diagnostic, source):
        draft = SourceFile(
            source.path, source.text[: edit.start] + edit.text + source.text[edit.end :]
        )
        now = _found(draft)
        return (edit, draft, now) if _better(diagnostic, now) else None
    return None


def _found(source: SourceFile) -> list[Diagnostic]:
    specs, found = parse_all({source.path: source})
    return errors([*found, *check(specs)])


def _better(fixed: Diagnostic, now: list[Diagnostic]) -> bool:
    """Tell whether a finding is gone, and no syntax error is in front of where it was."""
    broken = [d.where.start or 0 for d in now if d.rule == "OG002"]
    if fixed.rule == "OG002":
        return all(start > (fixed.where.start or 0) for start in broken)
    gone = all((d.rule, d.message) != (fixed.rule, fixed.message) for d in now)
    return gone and not broken


def _edits(diagnostic: Diagnostic, source: SourceFile) -> Iterator[Edit]:
    """The correction, if there is one."""
    start, end = source.resolve(diagnostic.where)
    marked = source.text[start:end]
    if diagnostic.rule in ("OG010", "OG202"):
        name, meant = _QUOTED.search(diagnostic.message), _MEANT.search(diagnostic.help)
        if name and meant and marked.count(name[1]) == 1 and _certain(name[1], meant[1]):
            at = start + marked.index(name[1])
            yield Edit(at, at + len(name[1]), meant[1])
    elif diagnostic.rule == "OG013" and not diagnostic.where.path:
        comments = _COMMENTS.match(source.text)
        at = comments.end() if comments else 0
        yield Edit(at, at, "spec = 1\n\n")
    elif diagnostic.rule == "OG002" and "quotes" in diagnostic.help:
        if word := _BARE.match(source.text, start):
            yield Edit(*word.span(), f'"{word[0]}"')
    elif diagnostic.rule == "OG104" and (span := source.spans.get(diagnostic.where.path)):
        written = source.text[slice(*span.value)]
        if "^" in written:
            yield Edit(*span.value, re.sub(r"\s*\^\s*", "**", written))


def _certain(name: str, meant: str) -> bool:
    if ELSEWHERE.get(name.casefold()) == meant:
        return True
    return difflib.SequenceMatcher(None, name.casefold(), meant).ratio() >= CERTAIN
