"""Correct mistakes in specs for `opgen lint --fix`, if only one correction makes sense.

opgen tries each correction on the text of the spec. It keeps the correction if the finding
disappears and the spec has no syntax error. If the finding itself is a syntax error, syntax errors
after it may remain.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from opgen.compiler.pipeline import check, parse_all
from opgen.lint.rules.unknown_dtype import ELSEWHERE
from opgen.source.diagnostics import Diagnostic, errors
from opgen.source.edit import Edit
from opgen.source.source_file import SourceFile

# The minimum similarity of a name and its correction, as measured by difflib.
CERTAIN = 0.8
_QUOTED = re.compile(r"`([^`]+)`")
_MEANT = re.compile(r"did you mean `([^`]+)`\?")
# A bare word that would be a valid string if it had quotes.
_BARE = re.compile(r"[A-Za-z_]\w*(?=[ \t]*(?:[,}\]\n#]|$))")
_COMMENTS = re.compile(r"(?:#[^\n]*\n)*\n*")


def fixed(source: SourceFile) -> SourceFile:
    """Return the spec with all unambiguous corrections applied."""
    refused: set[tuple[str, str, str]] = set()
    found = _found(source)
    while True:
        for diagnostic in found:
            key = (diagnostic.rule, diagnostic.message, str(diagnostic.where))
            tried = None if key in refused else _tried(diagnostic, source, found)
            if tried is not None:
                _, source, found = tried
                break
            refused.add(key)
        else:
            return source


def correction(diagnostic: Diagnostic, source: SourceFile) -> Edit | None:
    """Return the edit that corrects a finding; None if there is no unambiguous one."""
    tried = _tried(diagnostic, source, _found(source))
    return tried[0] if tried else None


def _tried(
    diagnostic: Diagnostic, source: SourceFile, found: list[Diagnostic]
) -> tuple[Edit, SourceFile, list[Diagnostic]] | None:
    """Return the correction of a finding, the corrected spec, and the findings that remain.

    Return None if no correction is unambiguous, or if the correction does not remove the finding.
    """
    for edit in _edits(diagnostic, source):
        draft = SourceFile(
            source.path, source.text[: edit.start] + edit.text + source.text[edit.end :]
        )
        now = _found(draft)
        return (edit, draft, now) if _better(diagnostic, found, now) else None
    return None


def _found(source: SourceFile) -> list[Diagnostic]:
    specs, found = parse_all({source.path: source})
    return errors([*found, *check(specs)])


def _better(fixed: Diagnostic, before: list[Diagnostic], now: list[Diagnostic]) -> bool:
    """Return whether a correction removes the finding `fixed`, and causes no syntax error.

    `before` and `now` are the findings before and after the correction. If `fixed` is a syntax
    error itself, later syntax errors may remain.
    """
    broken = [d.where.start or 0 for d in now if d.rule == "OG002"]
    if fixed.rule == "OG002":
        return all(start > (fixed.where.start or 0) for start in broken)
    kind = fixed.rule, fixed.message, fixed.help
    then, left = (
        [(d.rule, d.message, d.help) for d in found].count(kind) for found in (before, now)
    )
    return left < then and not broken


def _edits(diagnostic: Diagnostic, source: SourceFile) -> Iterator[Edit]:
    """Yield the unambiguous correction of a finding, if there is one."""
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
