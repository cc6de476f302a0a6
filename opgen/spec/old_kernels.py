"""Rewrite `kernels` from its old form, a table by platform, to a list of kernels."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from opgen.source.diagnostics import Path
from opgen.source.edit import Edit, joined
from opgen.source.source_file import SourceFile
from opgen.spec.extensions import platforms

# The maximum width of a list on one line.
_WIDTH = 100
# The keys that an old kernel in Triton has next to its other keys.
_TRITON = ("triton", "constexpr", "values", "aligned", "warps", "stages")
_BLANK = re.compile(r"\n*")
_REST = re.compile(r"[ \t]*(#[^\n]*)?(?:\n|$)")
_HEADER = re.compile(r"^\[", re.M)


def edits(source: SourceFile, path: Path) -> Iterator[Edit]:
    """Yield the edit that turns the table at `path`, the `kernels` of an op, into a list."""
    *_, op, _ = path
    value: Any = tomllib.loads(source.text)
    for part in path[:-1]:
        value = value[part]
    entries = list(_entries(source, path, value["kernels"], str(op), "guarantees" in value))
    key, written = source.spans[path]
    if source.text.startswith("{", written[0]):
        yield Edit(*written, _listed(entries, key[1] - key[0]))
        return
    found = list(_statements(source, path))
    lines = [edit for edit, _, width in found if width]
    comments = "".join(f"{text}\n" for _, texts, _ in found for text in texts)
    width = max((width for _, _, width in found), default=7)
    text = f"{comments}{'kernels'.ljust(width)} = {_listed(entries, width)}\n"
    header = source.text.rfind("\n", 0, source.spans[path[:-1]].key[0]) + 1
    at = lines[0].start if lines else _end(source, header)
    yield joined(source.text, [Edit(at, at, text), *(edit for edit, _, _ in found)])


def with_table(source: SourceFile, path: Path) -> Iterator[Edit]:
    """Yield the edit that moves the keys of the Triton kernel at `path` into the table `triton`."""
    span = source.spans.get(path)
    if span is None or not source.text.startswith("{", span.value[0]):
        return
    value: Any = tomllib.loads(source.text)
    for part in path:
        value = value[part]
    texts = {key: _text(source, (*path, key), item) for key, item in value.items()}
    kept = {key: text for key, text in texts.items() if key not in _TRITON}
    own = {"function" if key == "triton" else key: texts[key] for key in _TRITON if key in texts}
    given, chosen = value.get("constexpr"), value.get("values")
    if isinstance(given, dict) and isinstance(chosen, dict):
        constants = {
            name: (
                f"{{ {_bare(each)} = {_text(source, (*path, 'values', name), chosen[name])} }}"
                if name in chosen and isinstance(each, str)
                else _text(source, (*path, "constexpr", name), each)
            )
            for name, each in given.items()
        }
        own["constexpr"] = _braced(constants)
    own.pop("values", None)
    yield Edit(*span.value, _braced({**kept, "triton": _braced(own)}))


def _braced(texts: Mapping[str, str]) -> str:
    return f"{{ {', '.join(f'{_bare(key)} = {text}' for key, text in texts.items())} }}"


def _entries(source: SourceFile, path: Path, table: Any, op: str, promised: bool) -> Iterator[str]:
    """Yield the TOML text of each entry of the new list of kernels, the reference last.

    `promised` is True if the op has the key `guarantees`. The op's `guarantees` apply to kernels
    that do not have the key.
    """
    for platform, value in table.items():
        place = (*path, platform)
        if isinstance(value, list):
            for n, each in enumerate(value):
                less = not promised and "guarantees" not in each and _some_promise(value)
                more = {"guarantees": "[]"} if less else {}
                if len(value) == 1 and "name" not in each:
                    more["name"] = (
                        f'"{_name(each if isinstance(each, dict) else {"symbol": each})}"'
                    )
                yield _entry(source, (*place, n), platform, each, op, more)
        elif platform != "else":
            yield _entry(source, place, platform, value, op, {})
    if "else" in table:
        yield '"reference"'


def _some_promise(kernels: list[Any]) -> bool:
    return any(isinstance(each, dict) and "guarantees" in each for each in kernels)


def _entry(
    source: SourceFile, path: Path, platform: str, value: Any, op: str, more: Mapping[str, str]
) -> str:
    keys = {"symbol": value} if isinstance(value, str) else value
    texts = {key: _text(source, (*path, key), item) for key, item in keys.items()}
    if isinstance(value, str):
        texts["symbol"] = source.text[slice(*source.spans[path].value)]
    if keys.get("symbol") in (op, "{name}"):
        del texts["symbol"]
    texts |= more
    if not texts:
        return f'"{platform}"'
    rest = "".join(f", {key} = {text}" for key, text in texts.items())
    return f'{{ on = "{platform}"{rest} }}'


def _name(keys: Any) -> str:
    """Return the default name of the kernel with these `keys`: its function or symbol."""
    for key in ("triton", "tvm_ffi", *(each.function for each in platforms().values())):
        if key in keys:
            return str(keys[key]).rpartition(":")[2].partition("(")[0]
    if "call" in keys:
        return str(keys["call"]).rpartition(":")[2].partition("(")[0].strip()
    symbol = keys.get("symbol", "{name}")
    return str(next(iter(symbol.values())) if isinstance(symbol, dict) else symbol)


def _text(source: SourceFile, path: Path, value: Any) -> str:
    """Return the TOML text of a value as written in the spec, but with a `[table]` as `{ ... }`."""
    span = source.spans.get(path)
    if span is not None and span.value != span.key:
        text = source.text[slice(*span.value)]
        if not (isinstance(value, dict) and text.startswith("[")):
            return text
    if not isinstance(value, dict):
        return ""
    inner = ", ".join(f"{_bare(k)} = {_text(source, (*path, k), v)}" for k, v in value.items())
    return f"{{ {inner} }}"


def _statements(source: SourceFile, path: Path) -> Iterator[tuple[Edit, list[str], int]]:
    """Yield, for each line or `[table]` of the old kernels, an edit that removes it.

    Each result is (edit, comments that the edit removes, number of characters before the line's
    `=`). The number is 0 for a `[table]`.
    """
    text = source.text
    done = 0
    header = re.compile(r"\[+[ \t]*" + r"[ \t]*\.[ \t]*".join(map(re.escape, map(str, path))))
    for place, span in sorted(source.spans.items(), key=lambda each: each[1].key):
        if place[: len(path)] != path or span.key[0] < done:
            continue
        begin = text.rfind("\n", 0, span.key[0]) + 1
        if header.match(text, begin):
            done = _end(source, begin)
            comments = re.findall(r"(?m)^[ \t]*(#[^\n]*)|[ \t](#[^\n\"]*)$", text[begin:done])
            done = _BLANK.match(text, done).end()  # type: ignore[union-attr]
            yield Edit(begin, done, ""), [own or behind for own, behind in comments], 0
        elif span.value != span.key:
            rest = _REST.match(text, span.value[1])
            assert rest is not None
            key, _, _ = text[begin : span.value[0]].rpartition("=")
            done = rest.end()
            yield Edit(begin, done, ""), [rest[1]] if rest[1] else [], max(len(key) - 1, 7)


def _end(source: SourceFile, begin: int) -> int:
    """Return the offset of the end of the `[table]` whose header is at `begin`."""
    after = _HEADER.search(source.text, begin + 1)
    end = after.start() if after else len(source.text)
    ends = [s.value[1] for s in source.spans.values() if begin <= s.key[0] < end]
    rest = _REST.match(source.text, max(ends))
    return rest.end() if rest else end


def _bare(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)


def _listed(entries: list[str], width: int) -> str:
    line = f"[{', '.join(entries)}]"
    if width + 3 + len(line) <= _WIDTH or len(entries) == 1:
        return line
    rows: list[str] = []
    for is_table, group in groupby(entries, lambda entry: entry.startswith("{")):
        found = list(group)
        rows += found if is_table else [", ".join(found)]
    return "[\n" + "".join(f"    {row},\n" for row in rows) + "]"
