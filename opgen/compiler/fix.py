"""Correct mistakes in specs for `opgen lint --fix`, if only one correction makes sense.

opgen tries each correction on the text of the spec. It keeps the correction if the finding
disappears and the spec has no syntax error. If the finding itself is a syntax error, syntax errors
after it may remain.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping

from opgen.compiler.pipeline import check, parse_all
from opgen.ir.guarantees import promise
from opgen.lint.rules.unknown_dtype import ELSEWHERE
from opgen.source.diagnostics import Diagnostic, Path, errors
from opgen.source.edit import Edit, joined
from opgen.source.source_file import SourceFile
from opgen.spec import old_kernels
from opgen.spec.models.rules import DEFAULT
from opgen.spec.removed import Old, old_of

# The minimum similarity of a name and its correction, as measured by difflib.
CERTAIN = 0.8
_QUOTED = re.compile(r"`([^`]+)`")
_MEANT = re.compile(r"did you mean `([^`]+)`\?")
_INSTEAD = re.compile(r'write `"([^"]+)"`')
# A bare word that would be a valid string if it had quotes.
_BARE = re.compile(r"[A-Za-z_]\w*(?=[ \t]*(?:[,}\]\n#]|$))")
# The tables before the last part of a dotted key, and the end of an entry or a line.
_PREFIX = re.compile(r"(?:[\w-]+[ \t]*\.[ \t]*)+$")
_COMMA = re.compile(r"[ \t]*,[ \t]*")
_REST = re.compile(r"[ \t]*(?:#[^\n]*)?(?:\n|$)")
_COMMENTS = re.compile(r"(?:#[^\n]*\n)*\n*")


def fixed(source: SourceFile, *, by_hand: bool = False) -> SourceFile:
    """Return the spec with all unambiguous corrections applied.

    With `by_hand`, also remove the old keys that the author must now replace by Python code.
    """
    refused: set[tuple[str, str, str]] = set()
    found = _found(source)
    while True:
        for diagnostic in found:
            key = (diagnostic.rule, diagnostic.message, str(diagnostic.where))
            tried = None if key in refused else _tried(diagnostic, source, found, by_hand)
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
    diagnostic: Diagnostic, source: SourceFile, found: list[Diagnostic], by_hand: bool = False
) -> tuple[Edit, SourceFile, list[Diagnostic]] | None:
    """Return the correction of a finding, the corrected spec, and the findings that remain.

    Return None if no correction is unambiguous, or if the correction does not remove the finding.
    """
    for edit in _edits(diagnostic, source, by_hand):
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


def _edits(diagnostic: Diagnostic, source: SourceFile, by_hand: bool) -> Iterator[Edit]:
    """Yield the unambiguous correction of a finding, if there is one."""
    start, end = source.resolve(diagnostic.where)
    marked = source.text[start:end]
    if old := old_of(diagnostic.help):
        fix = "leave out" if by_hand and old.fix == "python" else old.fix
        if fix in REWRITES:
            yield from REWRITES[fix](source, diagnostic.where.path, old)
    elif diagnostic.rule in ("OG010", "OG202"):
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
    elif diagnostic.rule == "OG308" and (now := _INSTEAD.fullmatch(diagnostic.help)):
        yield Edit(start, end, f'"{now[1]}"')
    elif diagnostic.rule == "OG104" and (span := source.spans.get(diagnostic.where.path)):
        written = source.text[slice(*span.value)]
        if "^" in written:
            yield Edit(*span.value, re.sub(r"\s*\^\s*", "**", written))


def _alone(source: SourceFile, path: Path, old: Old) -> Iterator[Edit]:
    """Yield the edit that replaces the table that contains `path` by the value at `path`."""
    function = source.text[slice(*source.spans[path].value)]
    yield Edit(*source.spans[path[:-1]].value, function)


def _renamed(source: SourceFile, path: Path, old: Old) -> Iterator[Edit]:
    yield Edit(*source.spans[path].key, old.now)


def _left_out(source: SourceFile, path: Path, old: Old | None = None) -> Iterator[Edit]:
    """Yield the edit that removes a key with its value, or all `[[...]]` tables of a list."""
    text, span = source.text, source.spans[path]
    before = _PREFIX.sub("", text[: span.key[0]])
    if before.endswith("[["):
        header = text[len(before) : span.key[1]]
        tables = re.compile(rf"^\[\[{re.escape(header)}[ \t]*\]\].*\n(?:(?!\[).*\n?)*", re.M)
        yield Edit(0, len(text), tables.sub("", text))
        return
    above = before.rstrip(" \t")
    if above.endswith(("{", ",")):
        more = _COMMA.match(text, span.value[1])
        if more:
            yield Edit(len(before), more.end(), "")
        else:
            yield Edit(len(above.removesuffix(",").rstrip(" \t")), span.value[1], "")
    elif not above or above.endswith("\n"):
        rest = _REST.match(text, span.value[1])
        yield Edit(len(above), rest.end() if rest else span.value[1], "")


def _joined(source: SourceFile, path: Path, old: Old) -> Iterator[Edit]:
    """Yield the edit that moves the value at `path` into the key that names the function.

    The value is the name of a library, or the arguments of a tvm-ffi function. For example, the
    library `"lib"` and the function `"f"` become `"lib:f"`.
    """
    text = source.text[slice(*source.spans[path].value)]
    span = source.spans.get((*path[:-1], old.now))
    if span is None:
        return
    for edit in _left_out(source, path):
        named = source.text[slice(*span.value)][1:-1]
        whole = f"{text[1:-1]}:{named}"
        if path[-1] == "args":
            whole = f"{named}({', '.join(re.findall(r'[A-Za-z]+[0-9A-Za-z_]*', text))})"
        yield joined(source.text, [edit, Edit(*span.value, f'"{whole}"')])


def _promised(source: SourceFile, path: Path, old: Old) -> Iterator[Edit]:
    """Yield the edit that replaces a table of guarantees by a list of their names.

    If the table lists only the guarantees that the op has by default, the edit removes the key.
    """
    span = source.spans.get(path)
    if span is None or not source.text.startswith("{", span.value[0]):
        return
    table = tomllib.loads(f"g = {source.text[slice(*span.value)]}")["g"]
    words = [word for word in ("deterministic", "invariant", "exact") if table.get(word)]
    for edit in _left_out(source, path):
        draft = source.text[: edit.start] + edit.text + source.text[edit.end :]
        specs, _ = parse_all({source.path: SourceFile(source.path, draft)})
        ops = [op for spec in specs.values() for name, op in spec.ops.items() if name == path[1]]
        default = ops and promise(ops[0], DEFAULT) == promise(ops[0], words)
        if default and path[0] == "ops" and len(path) == 3:
            yield edit
            return
    listed = ", ".join(f'"{word}"' for word in words)
    yield Edit(*span.value, f"[{listed}]")


# The functions that yield edits for old keys, by the value of `Old.fix`.
REWRITES: Mapping[str, Callable[[SourceFile, Path, Old], Iterator[Edit]]] = {
    "alone": _alone,
    "join": _joined,
    "leave out": _left_out,
    "list": lambda source, path, old: old_kernels.edits(source, path),
    "rename": _renamed,
    "table": lambda source, path, old: old_kernels.with_table(source, path[:-1]),
    "words": _promised,
}


def _certain(name: str, meant: str) -> bool:
    if ELSEWHERE.get(name.casefold()) == meant:
        return True
    return difflib.SequenceMatcher(None, name.casefold(), meant).ratio() >= CERTAIN
