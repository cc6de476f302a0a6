"""Rename a dim or group in all shapes, expressions and lists of names of an op."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args, get_origin

from opgen.compiler.pipeline import check, parse_all
from opgen.language.expr.places import spans_of_name
from opgen.lint.expression_contexts import spans_in_shape
from opgen.lint.op_context import OpContext
from opgen.lsp.completion import DECLARING
from opgen.lsp.cursor import Cursor
from opgen.source.diagnostics import Diagnostic, Path, Where
from opgen.source.edit import Edit
from opgen.source.source_file import SourceFile
from opgen.spec.keys import types_at
from opgen.spec.models.strings import Name


class RenameError(Exception):
    """Error for a name that cannot be changed. The message has the reason."""


def renamed(cursor: Cursor, new: str) -> list[Edit]:
    """Return the edits that rename the dim or group at the cursor to `new` throughout its op.

    Raises `RenameError` if the name is not a dim or group, or if the result would be invalid.
    """
    op, name, source = cursor.op, cursor.word, cursor.source
    if op is None or name not in op.scope.bound:
        raise RenameError(f"`{name}` is not a dim or group of an input's shape")
    if not re.fullmatch(r"[A-Za-z]\w*", new, re.A):
        raise RenameError(f"`{new}` is not a name: a letter, then letters, digits and `_`")
    if op.scope.type_of(new) is not None:
        raise RenameError(f"`{op.name}` has a `{new}` already")
    try:
        places = {*_in_expressions(op, name), *_in_names(op, name)}
    except SyntaxError as error:
        raise RenameError("fix the shapes and expressions of this op first") from error
    outside = [where for where in places if where.path[:2] != ("ops", op.name)]
    if outside:
        place = ".".join(map(str, outside[0].path))
        raise RenameError(f"`{name}` is also in {place}, which other ops may share")
    edits = sorted({Edit(*_word(source, where, name), new) for where in places}, reverse=True)
    text = source.text
    for edit in edits:
        text = text[: edit.start] + edit.text + text[edit.end :]
    draft = SourceFile(source.path, text)
    known = Counter(each.rule for each in _found(source))
    for each in _found(draft):
        known[each.rule] -= 1
        if known[each.rule] >= 0:
            continue
        line = draft.position(draft.resolve(each.where)[0]).line
        raise RenameError(f"line {line} would be wrong: {each.message}")
    return edits


def _word(source: SourceFile, where: Where, name: str) -> tuple[int, int]:
    """Return the start and end of `name` at the location `where`, without its quotes."""
    start, end = source.resolve(where)
    return (start, end) if end - start == len(name) else (start + 1, end - 1)


def _found(source: SourceFile) -> list[Diagnostic]:
    specs, found = parse_all({source.path: source})
    return [*found, *check(specs)]


def _in_expressions(op: OpContext, name: str) -> Iterator[Where]:
    for path, text, _ in op.shapes:
        for start, end in spans_in_shape(text, name):
            yield op.at(path, "value", start, end)
    for site in op.sites:
        for start, end in spans_of_name(site.text, name):
            yield op.at(site.path, site.part, site.start + start, site.start + end)


def _in_names(op: OpContext, name: str) -> Iterator[Where]:
    """Yield each location where `name` is a whole value, a key, or a word in a `layout` value."""
    for path, value in _entries(op.home.written(("ops", op.name)), ()):
        types = types_at(("ops", op.name, *path))
        if isinstance(value, str) and Name in types and value == name:
            yield op.at(path)
        elif isinstance(value, str) and "layout" in path:
            for word in re.finditer(rf"(?<!\w){name}(?!\w)", value):
                yield op.at(path, "value", *word.span())
        elif isinstance(value, dict) and name in value and path[-1] not in DECLARING:
            if any(get_origin(type) is dict and get_args(type)[0] == Name for type in types):
                yield op.at((*path, name), "key")


def _entries(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Yield (path, value) for all values in a table or list, including nested values."""
    if path:
        yield path, value
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _entries(item, (*path, key))
