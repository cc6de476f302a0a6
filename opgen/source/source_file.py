"""The text of a file, and the locations of the values in its TOML document."""

from __future__ import annotations

import hashlib
import os
import stat
from bisect import bisect_right
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from opgen.source.cached import cached_property
from opgen.source.diagnostics import Diagnostic, Where
from opgen.source.frozen import dataclass
from opgen.source.inside import Outside, inside, leads_out
from opgen.source.parse_rules import UNREADABLE_FILE

if TYPE_CHECKING:
    from opgen.source.locate import Span, Spans

MAX_BYTES = 1_000_000


class Position(NamedTuple):
    """A line and a column. Both count from 1, and columns count characters."""

    line: int
    column: int


@dataclass(frozen=True)
class SourceFile:
    """The text of a file.

    `path` is the file's name in messages. If the file could not be read, `problem` explains why.
    Line ends are normalised to newlines.
    """

    path: str
    text: str
    problem: Diagnostic | None = None

    @classmethod
    def read(cls, path: Path) -> SourceFile:
        """Read the file at `path`. If it cannot be read or decoded, the result has a `problem`."""
        shown = path.as_posix()
        try:
            info = os.lstat(path)
            if stat.S_ISLNK(info.st_mode):
                if leads_out(path, path.parent):
                    return cls.refused(shown, "this is a link that leads out of the project")
                info = os.stat(path)
            if not stat.S_ISREG(info.st_mode):
                return cls.refused(shown, "this is not a file")
            if info.st_size > MAX_BYTES:
                return cls.refused(
                    shown, f"the file has {info.st_size:,} bytes; a spec has {MAX_BYTES:,} at most"
                )
            with open(path, "rb") as file:
                raw = file.read()
        except OSError as error:
            return cls.refused(shown, f"cannot be read: {error.strerror}")
        return cls.decode(shown, raw)

    @classmethod
    def named(cls, folder: Path, name: str) -> SourceFile:
        """Read the file `name`, relative to `folder`. The file must be inside the project."""
        try:
            return cls.read(inside(folder, name))
        except Outside as error:
            return cls.refused(f"{folder.as_posix()}/{name}", str(error))

    @classmethod
    def decode(cls, path: str, raw: bytes) -> SourceFile:
        """Decode the bytes `raw` of a file. TOML requires UTF-8 without a byte order mark."""
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            before = raw[: error.start].decode("utf-8").replace("\r\n", "\n")
            byte = f"0x{raw[error.start]:02x}"
            text = raw.decode("utf-8", errors="replace").replace("\r\n", "\n")
            message = f"the file is not UTF-8: byte {byte} is here"
            return cls.refused(path, message, len(before), text)
        if text.startswith("\ufeff"):
            return cls.refused(path, "the file begins with a byte order mark", 0, text[1:])
        return cls(path, text.replace("\r\n", "\n"))

    @classmethod
    def refused(cls, path: str, message: str, at: int = 0, text: str = "") -> SourceFile:
        where = Where(path, start=at, end=at, absolute=True)
        return cls(path, text, UNREADABLE_FILE.at(where, message))

    @cached_property
    def digest(self) -> str:
        """Return a hash of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def line_starts(self) -> list[int]:
        return [0, *accumulate(len(line) + 1 for line in self.lines[:-1])]

    @cached_property
    def spans(self) -> Spans:
        from opgen.source.locate import locate

        return locate(self.text)

    def position(self, offset: int) -> Position:
        """Return the line and column of the character at `offset`."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.line_starts, offset)
        return Position(line, offset - self.line_starts[line - 1] + 1)

    def _is_scalar(self, span: Span) -> bool:
        """Return whether the value is neither a table nor a list."""
        return span.value != span.key and self.text[span.value[0]] not in "[{"

    def resolve(self, where: Where) -> tuple[int, int]:
        """Return the start and end of the characters in the text that `where` refers to.

        If the text does not contain the location, return the span of the nearest existing table or
        value around the location.
        """
        if where.absolute:
            return where.start or 0, where.end or where.start or 0
        from opgen.source.locate import inside

        path, part = where.path, where.part
        while path and path not in self.spans:
            path, part = path[:-1], "key"
        if not path:
            return 0, len(self.lines[0])
        span = self.spans[path]
        if path != where.path and self._is_scalar(span):
            part = "value"
        start, end = span.key if part == "key" else span.value
        if path != where.path or where.start is None:
            return start, end
        raw = self.text[start:end]
        last = where.start + 1 if where.end is None else where.end
        return start + inside(raw, where.start), start + inside(raw, last)
