"""Suppression of findings by comments in a spec: `# opgen: ignore[RULE] reason`.

The comment is at the end of the reported line, or on a separate line above it. It lists one or
several rules by id or name, separated by commas. A reason is required. A suppression that
suppresses nothing is reported, so that authors remove it.

A comment can suppress warnings, and errors of rules that are `Rule.overrulable`. It cannot suppress
other errors, because opgen cannot render an op that has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from opgen.source.diagnostics import Diagnostic, Severity, Where
from opgen.source.frozen import dataclass
from opgen.source.parse_rules import ReadingRule
from opgen.source.source_file import SourceFile
from opgen.source.toml import TOKEN

UNUSED_SUPPRESSION = ReadingRule(
    "OG090",
    "unused-suppression",
    """A suppression has no effect.

This rule reports `# opgen: ignore[RULE]` if RULE finds nothing or does not exist. It also reports a
RULE that cannot be suppressed, because opgen cannot render an op with such an error.

Why: a suppression that outlives its cause hides the next mistake.

How to fix: remove the comment, or remove the rule from its list. Fix errors that cannot be
suppressed.
""",
    Severity.WARNING,
)
UNEXPLAINED_SUPPRESSION = ReadingRule(
    "OG091",
    "unexplained-suppression",
    """A suppression has no reason.

Example:

    require = ["T != f64"]    # opgen: ignore[unknown-choice]

How to fix: write the reason after the bracket: `# opgen: ignore[unknown-choice] f64 will follow`.
""",
    Severity.WARNING,
)
SUPPRESSION_RULES = (UNUSED_SUPPRESSION, UNEXPLAINED_SUPPRESSION)

_COMMENT = re.compile(r"#\s*opgen:\s*ignore\[([^\]]*)\]\s*(.*)")
_BLANK_LINES = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)+")


@dataclass(frozen=True, slots=True)
class Suppression:
    """A comment, at offsets `start` to `end`, that suppresses findings of `rules` on `line`."""

    line: int
    rules: tuple[str, ...]
    reason: str
    start: int
    end: int


def suppress(found: Sequence[Diagnostic], sources: Mapping[str, SourceFile]) -> list[Diagnostic]:
    """Return `found` without suppressed findings, and with new findings about faulty comments."""
    kept = list(found)
    for source in sources.values():
        if "ignore[" in source.text:
            kept = _in_file(source, kept)
    return kept


def _in_file(source: SourceFile, found: list[Diagnostic]) -> list[Diagnostic]:
    comments = list(suppressions(source.text))
    on: dict[int, list[Suppression]] = {}
    for comment in comments:
        on.setdefault(comment.line, []).append(comment)
    used: set[tuple[Suppression, str]] = set()
    refused: set[tuple[Suppression, str]] = set()
    kept = []
    for diagnostic in found:
        here = diagnostic.where.file == source.path
        line = source.position(source.resolve(diagnostic.where)[0]).line if here else 0
        matching = [
            (comment, rule)
            for comment in on.get(line, ())
            for rule in comment.rules
            if rule in (diagnostic.rule, diagnostic.name)
        ]
        may = diagnostic.severity is Severity.WARNING or diagnostic.rule in _overrulable()
        (used if may else refused).update(matching)
        if not (matching and may):
            kept.append(diagnostic)
    for comment in comments:
        where = Where(source.path, (), "value", comment.start, comment.end, absolute=True)
        for rule in comment.rules or ("",):
            if (comment, rule) in refused:
                kept.append(
                    UNUSED_SUPPRESSION.at(
                        where,
                        f"`{rule}` cannot be suppressed: rendering relies on it",
                        "mend what it finds",
                    )
                )
            elif (comment, rule) not in used:
                kept.append(
                    UNUSED_SUPPRESSION.at(where, f"`{rule}` finds nothing here", "remove it")
                )
        if not comment.reason:
            kept.append(
                UNEXPLAINED_SUPPRESSION.at(
                    where, "the reason is missing", "say why after the bracket"
                )
            )
    return kept


@cache
def _overrulable() -> frozenset[str]:
    from opgen.lint.registry import MODULES

    return frozenset(m.RULE.id for m in MODULES if m.RULE.overrulable)


def suppressions(text: str) -> Iterator[Suppression]:
    """Yield the suppressions in `text`, a valid TOML document, from top to bottom."""
    line, counted = 1, 0
    for token in TOKEN.finditer(text):
        match = _COMMENT.match(token[0])
        if match is None:
            continue
        rules = tuple(filter(None, (rule.strip() for rule in match[1].split(","))))
        start = token.start()
        line_start = text.rfind("\n", 0, start) + 1
        about = start if text[line_start:start].strip() else _next_line(text, start)
        line += text.count("\n", counted, about)
        counted = about
        yield Suppression(line, rules, match[2].strip(), start, token.end())


def _next_line(text: str, start: int) -> int:
    """Return the offset of the first line after `start` that is neither blank nor a comment."""
    blank = _BLANK_LINES.match(text, start)
    return blank.end() if blank else start
