"""Report diagnostics as text: the location, the line with carets under the mistake, and the fix."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

from opgen.source.diagnostics import Diagnostic, Severity
from opgen.source.guesses import guesses
from opgen.source.source_file import SourceFile
from opgen.source.terminal import TAB, visible

_COLORS = {Severity.ERROR: "\x1b[1;31m", Severity.WARNING: "\x1b[1;33m"}
_BOLD, _BLUE, _OFF = "\x1b[1m", "\x1b[1;34m", "\x1b[0m"
_WIDEST = 160


def render(
    diagnostics: Sequence[Diagnostic], sources: Mapping[str, SourceFile], *, color: bool = False
) -> str:
    """Return `diagnostics` one after the other, then a line that counts them."""
    blocks = [_block(d, sources[d.where.file], color) for d in diagnostics]
    text = "".join(f"{block}\n\n" for block in blocks) + _summary(diagnostics, sources)
    if color and diagnostics:  # people at a terminal may not know that each rule has a page
        text += f"`opgen explain {diagnostics[0].rule}` says more of the first\n"
    return text


def _block(diagnostic: Diagnostic, source: SourceFile, color: bool) -> str:
    start, end = source.resolve(diagnostic.where)
    line, column = source.position(start)
    text = source.lines[line - 1]
    before, marked = text[: column - 1], text[column - 1 : column - 1 + end - start]
    before, marked, after = _window(before, marked, text[column - 1 + len(marked) :])
    carets = " " * width(before) + "^" * max(1, width(marked))
    gutter = " " * len(str(line))
    kind = diagnostic.severity.value
    title = f"{kind}[{diagnostic.rule} {diagnostic.name}]"
    paint = _paint if color else _plain
    tint = _COLORS[diagnostic.severity]
    rows = [
        f"{paint(f'{visible(source.path)}:{line}:{column}', _BOLD)}: "
        f"{paint(title, tint)}: {paint(visible(diagnostic.message), _BOLD)}",
        paint(f"{gutter} |", _BLUE),
        f"{paint(f'{line} |', _BLUE)} {visible(before + marked + after)}".rstrip(),
        f"{paint(f'{gutter} |', _BLUE)} {paint(carets, tint)}",
    ]
    if diagnostic.help:
        rows.append(f"{paint(f'{gutter} =', _BLUE)} help: {visible(diagnostic.help)}")
    return "\n".join(rows)


def _paint(text: str, color: str) -> str:
    return f"{color}{text}{_OFF}"


def _plain(text: str, color: str) -> str:
    return text


def _window(before: str, marked: str, after: str) -> tuple[str, str, str]:
    """Shorten a long line to fit in a terminal: text before the mark, the mark, text after it."""
    marked = marked[: _WIDEST // 2]
    left = max(0, len(before) - (_WIDEST - len(marked)) // 2)
    if left:
        before = "..." + before[left:]
    room = max(0, _WIDEST - len(before) - len(marked))
    return before, marked, after if len(after) <= room else after[:room] + "..."


def width(text: str) -> int:
    """Return the number of columns that `visible(text)` takes in a terminal."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if character == "\t":
        return len(TAB)
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _summary(diagnostics: Sequence[Diagnostic], sources: Mapping[str, SourceFile]) -> str:
    """Return a summary, such as `found 2 errors in 1 file`.

    Without diagnostics, return the number of marked guesses that remain in draft specs, if any.
    """
    if not diagnostics:
        left = sum(guesses(source.text) for source in sources.values())
        return f"{left} guess{'es' * (left > 1)} left\n" if left else "all good\n"
    kinds = [d.severity for d in diagnostics]
    counts = [_count(n, severity.value) for severity in Severity if (n := kinds.count(severity))]
    files = _count(len({d.where.file for d in diagnostics}), "file")
    return f"found {' and '.join(counts)} in {files}\n"


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
