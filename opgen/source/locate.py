"""Find the locations of keys and values in a TOML text.

The scanner runs only for a report, and only over text that a TOML parser has accepted. So the
scanner can rely on the grammar. It has an explicit stack, so nested values need no recursion.
"""

from __future__ import annotations

import re
from typing import NamedTuple

Path = tuple[str | int, ...]
Range = tuple[int, int]


class Span(NamedTuple):
    """The character ranges of a key and its value. For an array element, `key` equals `value`."""

    key: Range
    value: Range


Spans = dict[Path, Span]

# The end quotes of a multi-line string may follow other quotes: `"""a"""""` contains `a""`.
STRING = (
    r'"""(?:[^"\\]|\\.|"(?!""))*"""(?:"{0,2})'
    r"|'''(?:[^']|'(?!''))*'''(?:'{0,2})"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
)
_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_KEY = re.compile(rf"[ \t]*({STRING}|[A-Za-z0-9_-]+)[ \t]*", re.S)
_SCALAR = re.compile(rf"{STRING}|\d{{4}}-\d\d-\d\d[ ]\d\d:[^\s,\]}}#]*|[^\s,\]}}#]+", re.S)
_UNIT = re.compile(
    r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}|\\x[0-9A-Fa-f]{2}" r"|(?P<fold>\\[ \t]*\n[ \t\n]*)|\\.|.",
    re.S,
)
_SIMPLE = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b", '"': '"', "\\": "\\"}


def locate(text: str) -> Spans:
    """Return the span of each table, key and array element of a valid TOML text, by path."""
    return _Scanner(text).document()


def inside(raw: str, offset: int) -> int:
    """Convert the offset of a character in a string's value to the offset in the source text `raw`.

    The two offsets differ if `raw` has escapes.
    """
    opening = _opening(raw)
    if opening is None:
        return min(offset, len(raw))
    at, close = opening
    end = len(raw) - close
    if raw[0] == "'":
        return min(at + offset, end)
    while at < end:
        unit = _UNIT.match(raw, at, end)
        assert unit is not None
        if not unit["fold"]:
            if offset <= 0:
                break
            offset -= 1
        at = unit.end()
    return min(at, end)


def _opening(raw: str) -> tuple[int, int] | None:
    """Return the offset at which a string's text starts in `raw`, and the number of end quotes.

    Return None if the value is not a string.
    """
    for quotes in ('"""', "'''"):
        if raw.startswith(quotes):
            return (4 if raw.startswith("\n", 3) else 3), 3
    return (1, 1) if raw[:1] in ("'", '"') else None


def unquote(raw: str) -> str:
    """Return the key that the source text `raw` denotes, without quotes and escapes."""
    if raw[0] == "'":
        return raw[1:-1]
    if raw[0] != '"':
        return raw
    return "".join(_unit(unit[0]) for unit in _UNIT.finditer(raw[1:-1]))


def _unit(unit: str) -> str:
    if unit[0] != "\\" or len(unit) < 2:
        return unit
    return _SIMPLE.get(unit[1]) or chr(int(unit[2:], 16))


class _Scanner:
    """A scanner that reads a text once. `at` is the current position."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.spans: Spans = {}
        self.last: dict[Path, int] = {}

    def document(self) -> Spans:
        table: Path = ()
        while self.skip():
            if self.text.startswith("[[", self.at):
                table = self.header(2)
            elif self.text.startswith("[", self.at):
                table = self.header(1)
            else:
                self.pairs(table)
        return self.spans

    def skip(self) -> bool:
        """Skip blanks and comments, and return whether any text is left."""
        blank = _BLANK.match(self.text, self.at)
        assert blank is not None
        self.at = blank.end()
        return self.at < len(self.text)

    def key(self) -> list[tuple[str, Range]]:
        """Scan a dotted key, and return its parts."""
        parts = []
        while True:
            part = _KEY.match(self.text, self.at)
            assert part is not None, "text that no parser has accepted"
            parts.append((unquote(part[1]), part.span(1)))
            self.at = part.end()
            if not self.text.startswith(".", self.at):
                return parts
            self.at += 1

    def header(self, brackets: int) -> Path:
        """Scan a header `[a.b]` or `[[a.b]]`, and return the path of the table that it starts."""
        start = self.at
        self.at += brackets
        parts = self.key()
        self.at += brackets
        whole = (start, self.at)
        path: Path = ()
        for name, key in parts[:-1]:
            path += (name,)
            self.spans.setdefault(path, Span(key, key))
            if path in self.last:
                path += (self.last[path],)
        name, key = parts[-1]
        path += (name,)
        if brackets == 1:
            self.spans[path] = Span(key, whole)
            return path
        self.spans.setdefault(path, Span(key, whole))
        self.last[path] = self.last.get(path, -1) + 1
        path += (self.last[path],)
        self.spans[path] = Span(key, whole)
        return path

    def pairs(self, table: Path) -> None:
        """Scan one `key = value`, including nested values. `table` is the path of its table."""
        # The values that are still open. Each has a path, a key and a start, the bracket that ends
        # it, and the number of array elements found until now.
        nest: list[tuple[Path, Range, int, str, list[int]]] = []
        key: Range | None
        path, key = self.left(table)
        while True:
            self.skip()
            start = self.at
            bracket = self.text[start]
            if bracket in "[{":
                self.at += 1
                key = key or (start, self.at)
                nest.append((path, key, start, "]" if bracket == "[" else "}", [0]))
            else:
                scalar = _SCALAR.match(self.text, start)
                assert scalar is not None, "text that no parser has accepted"
                self.at = scalar.end()
                self.spans[path] = Span(key or scalar.span(), scalar.span())
            while nest:
                above, above_key, start, close, count = nest[-1]
                self.skip()
                if self.text.startswith(",", self.at):
                    self.at += 1
                    self.skip()
                if not self.text.startswith(close, self.at):
                    break
                self.at += 1
                self.spans[above] = Span(above_key, (start, self.at))
                nest.pop()
            if not nest:
                return
            if close == "]":
                path, key = (*above, count[0]), None
                count[0] += 1
            else:
                path, key = self.left(above)

    def left(self, table: Path) -> tuple[Path, Range]:
        """Scan `key =`. Return the path of the key, and the span of its last part."""
        parts = self.key()
        self.at += 1
        path = table
        for name, key in parts[:-1]:
            path += (name,)
            self.spans.setdefault(path, Span(key, key))
        return (*path, parts[-1][0]), parts[-1][1]
