"""The key or value of a spec at the editor's cursor, and the op that contains it."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from opgen.lint.op_context import OpContext, Project
from opgen.source.diagnostics import Path
from opgen.source.source_file import SourceFile
from opgen.source.toml import read_toml
from opgen.spec.parse import parse_spec
from opgen.spec.spec import Section

# `MARK` is a word that no spec contains. `gap_at` uses it to parse a line that the user has not
# finished. It replaces the word at the cursor by the first of `FILLS` that makes the text valid
# TOML.
MARK = "opgen_cursor"
FILLS = (
    *(MARK, f"{MARK} = 0", f"{MARK} = 0,", f'"{MARK}"', f'"{MARK}",'),
    *(f"{MARK} = 0 }}", f'"{MARK}" }}', f'{MARK}"', f'{MARK}" }}'),
    *(f'"{MARK}"]', f'{MARK}"]', f"{MARK}]", f'{MARK}"] }}', f'"{MARK}"] }}'),
)
WORD = re.compile(r"[A-Za-z_]\w*")


class Cursor(NamedTuple):
    """The key or value at the editor's cursor: its path, and its characters `start` to `end`."""

    source: SourceFile
    path: Path
    part: Literal["key", "value"]
    start: int
    end: int
    word: str

    @property
    def text(self) -> str:
        """Return the text of the key or value, as written in the file."""
        return self.source.text[self.start : self.end]

    @property
    def op(self) -> OpContext | None:
        """Return the op around the cursor. In a template, return the first op that inherits it."""
        spec = parse_spec(self.source)[0]
        if spec is None or len(self.path) < 2 or self.path[0] not in ("ops", "templates"):
            return None
        section: Section = "ops" if self.path[0] == "ops" else "templates"
        name = str(self.path[1])
        for each in filter(None, (spec, spec.remains)):
            found = Project([each]).by_name
            like = [n for n in found if (section, name) in each.parents("ops", n)]
            if name in like or like:
                return found[name if name in like else like[0]]
        return None


def cursor_at(source: SourceFile, offset: int) -> Cursor | None:
    """Return the innermost key or value at the character `offset` of the file.

    Return None if the character is not in a key or value, or if the file is not valid TOML.
    """
    if read_toml(source)[0] is None:
        return None
    found: list[tuple[int, Cursor]] = []
    words = (m for m in WORD.finditer(source.text) if m.start() <= offset <= m.end())
    word = next((m[0] for m in words), "")
    for path, span in source.spans.items():
        element = span.key == span.value and isinstance(path[-1], int)
        for part, (start, end) in (("value", span.value), ("key", span.key)):
            if start <= offset <= end and not (element and part == "key"):
                place = Cursor(source, path, part, start, end, word)  # type: ignore[arg-type]
                found.append((end - start, place))
    return min(found, key=lambda each: each[0], default=(0, None))[1]


class Gap(NamedTuple):
    """The word that the user is typing, at the characters from `start` to `end` of the text.

    `cursor` is the key or value in a copy of the text that has `MARK` in place of the word. If
    `quoted` is True, a completion that is a string must include the quotes.
    """

    cursor: Cursor
    start: int
    end: int
    quoted: bool


def gap_at(source: SourceFile, offset: int) -> Gap | None:
    """Return the word at `offset`, or None if the file cannot be parsed.

    Each text in `FILLS` is tried in place of the word, until the file is valid TOML.
    """
    start = end = offset
    while start and (source.text[start - 1].isalnum() or source.text[start - 1] == "_"):
        start -= 1
    while end < len(source.text) and (source.text[end].isalnum() or source.text[end] == "_"):
        end += 1
    for fill in FILLS:
        text = source.text[:start] + fill + source.text[end:]
        found = cursor_at(SourceFile(source.path, text), start + fill.index(MARK))
        if found is not None and MARK in found.text:
            return Gap(found, start, end, fill.startswith('"'))
    return None
