"""Parse TOML with tomli, and accept only TOML 1.0.

tomli also accepts TOML 1.1. Specs must be TOML 1.0, so that editors, formatters and the standard
library's tomllib read them in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from opgen.source.diagnostics import Diagnostic, Path, Where
from opgen.source.locate import STRING
from opgen.source.parse_rules import SYNTAX_ERROR
from opgen.source.source_file import SourceFile

# A valid spec needs eight levels. Deeper nesting is a mistake, and it is slow to locate.
DEEPEST = 32
_TOO_DEEP = f"tables and lists are nested more than {DEEPEST} deep"

# Advice for tomli's confusing messages, by the first words of the message.
_HELP = {
    "Cannot mutate immutable namespace": "write everything inside the brackets, or give a table a `[header]`",
    "Cannot declare": "a table is declared once: put the keys of both together",
    "Invalid value": "strings are written in quotes",
    "Expected newline": "one `key = value` per line",
    "Expected '=' after a key": "a spec is TOML: `key = value`, below the `[table]` that has the key",
    "Unescaped '\\'": "in `\"...\"` a backslash is written `\\\\`; `'...'` takes it as it is",
    "Illegal character '\\n'": "a string ends on the line where it began",
    "Unterminated string": "a string ends on the line where it began",
    "Invalid initial character for a key part": "a key is bare (`a-b_1`) or quoted",
}
# Replacements for tomli's messages, in plainer words.
_PLAINER = {
    "Cannot mutate immutable namespace (.*)": (
        r"\1 is an inline table `{...}` or a list: no key can be added to it"
    ),
    "Cannot declare (.*) twice": r"\1 is declared twice",
}
_COMMA = ("an inline table has no comma after its last entry (TOML 1.0)", "remove the comma")
_LINES = (
    "an inline table ends on the line where it began (TOML 1.0)",
    "give the table a `[header]` of its own",
)
_SECONDS = ("a time has seconds (TOML 1.0)", "write `hh:mm:ss`")
_POSITION = re.compile(r" \(at (line \d+, column \d+|end of document)\)$")
# Strings, and the tokens that have a special meaning outside strings.
TOKEN = re.compile(
    STRING + r"|#[^\n]*|[\[\]{},\n]|\d\d:\d\d(?::\d\d)?[.\d]*(?:[+-]\d\d:\d\d)?",
    re.S,
)
# The parts of documents that TOML 1.0 and 1.1 share: strings without escapes, and inline tables that
# end on the line where they began and have no comma after the last entry.
_PLAIN = r"""[^"'\[\]{}#:\\,\n]++|"{3}(?:[^"\\]|"(?!""))*+"{3}|"[^"\\\n]*+"|'[^'\n]*+'"""
_LINES_OF = rf"{_PLAIN}|[,\n]|#[^\n]*+"
_ENTRIES = rf"{_PLAIN}|,(?!\s*\}})|\[(?:{_LINES_OF})*+\]"
_TABLE = rf"\{{(?:{_ENTRIES}|\{{(?:{_ENTRIES})*+\}})*+\}}"
_SHARED = re.compile(rf"(?:{_LINES_OF}|{_TABLE}|\[(?:{_LINES_OF}|{_TABLE})*+\])*+")
_DIGITS = re.compile(r"[0-9_]{4301,}")
# The digits of any integer that does not fit in 64 bits: at least 19, or 16 in hexadecimal.
_LONG = re.compile(r"[0-9](?:[0-9_]{18}|x[0-9A-Fa-f_]{16})")
_KEYS = re.compile(r"\(('.*'),?\)")
_BLANK = re.compile(r"(?:\s+|#[^\n]*)*")


def read_toml(source: SourceFile) -> tuple[dict[str, Any] | None, list[Diagnostic]]:
    """Return the parsed document and a list of mistakes. With mistakes, the document is None."""
    import tomli

    if source.problem is not None:
        return None, [source.problem]
    try:
        document = tomli.loads(source.text)
    except tomli.TOMLDecodeError as error:
        return None, [_syntax_error(source, str(error), error.pos)]
    except RecursionError:
        return None, [_at(source, 0, 0, _TOO_DEEP)]
    except ValueError:  # Python does not convert integers of thousands of digits
        digits = _DIGITS.search(source.text)
        at = digits.span() if digits else (0, 0)
        return None, [_at(source, *at, "the integer has too many digits")]
    if _deeper_than(DEEPEST, document):
        return None, [_at(source, 0, 0, _TOO_DEEP)]
    if _LONG.search(source.text):
        large = [
            SYNTAX_ERROR.at(Where(source.path, path), "an integer must fit in 64 bits")
            for path in _too_large(document, ())
        ]
        if large:
            return None, large
    newer = [
        _at(source, start, end, message, help)
        for start, end, message, help in newer_syntax(source.text)
    ]
    return (None, newer) if newer else (document, [])


def _deeper_than(deepest: int, document: dict[str, Any]) -> bool:
    level: list[Any] = [document]
    for _ in range(deepest):
        level = [
            item
            for table in level
            for item in (table.values() if isinstance(table, dict) else table)
            if isinstance(item, (dict, list))
        ]
        if not level:
            return False
    return True


def _too_large(value: object, path: Path) -> Iterator[Path]:
    """Yield the paths of integers that do not fit into 64 bits."""
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        yield path
    elif isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(item, int | dict | list):
                yield from _too_large(item, (*path, key))


def _syntax_error(source: SourceFile, message: str, at: int) -> Diagnostic:
    message = _POSITION.sub("", message)
    message = _KEYS.sub(lambda m: "`" + m[1][1:-1].replace("', '", ".") + "`", message)
    if message.startswith("Cannot overwrite a value"):
        return _defined_twice(source, at)
    help = next((h for start, h in _HELP.items() if message.startswith(start)), "")
    for theirs, ours in _PLAINER.items():
        message = re.sub(theirs, ours, message)
    at = min(at, len(source.text))  # after a final backslash, tomli counts one too many
    return _at(source, at, at, message[:1].lower() + message[1:], help)


def _defined_twice(source: SourceFile, at: int) -> Diagnostic:
    """Report a key that has two values. `at` is the offset after the second value."""
    line = source.text.count("\n", 0, max(0, at - 1))
    key = source.lines[line].partition("=")[0].strip()
    start = sum(len(text) + 1 for text in source.lines[:line])
    start += source.lines[line].find(key)
    alike = re.compile(rf"\s*{re.escape(key)}\s*=")
    first = ""
    for n in range(line - 1, -1, -1):
        if source.lines[n].lstrip()[:1] == "[":
            break  # the pair is in the table of this header
        if alike.match(source.lines[n]):
            first = f", first in line {n + 1}"
    message = f"`{key}` is defined twice{first}" if key else "a key is defined twice"
    return _at(source, start, start + len(key), message, "remove one of the two")


def _at(source: SourceFile, start: int, end: int, message: str, help: str = "") -> Diagnostic:
    where = Where(source.path, start=start, end=end, absolute=True)
    return SYNTAX_ERROR.at(where, message, help)


def newer_syntax(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield (start, end, message, help) for all syntax that TOML 1.1 allows and 1.0 does not."""
    if _SHARED.fullmatch(text):
        return
    open_brackets: list[str] = []
    comma = 0  # the start of the text after the last comma
    for match in TOKEN.finditer(text):
        token = match[0]
        if token in ("{", "["):
            open_brackets.append(token)
        elif token == "]":
            open_brackets.pop()
        elif token == ",":
            comma = match.end()
        elif token == "}":
            open_brackets.pop()
            if comma and _BLANK.fullmatch(text, comma, match.start()):
                yield comma - 1, comma, *_COMMA
        elif token == "\n":
            if open_brackets and open_brackets[-1] == "{":
                open_brackets[-1] = "reported"
                yield match.start(), match.start(), *_LINES
        elif token[0] == '"':
            if "\\" in token:
                yield from _newer_escapes(token, match.start())
        elif token[0].isdigit() and token[5:6] != ":":
            yield *match.span(), *_SECONDS


def _newer_escapes(token: str, start: int) -> Iterator[tuple[int, int, str, str]]:
    for match in re.finditer(r"\\(.)", token, re.S):
        if match[1] in "ex":
            message = f"`\\{match[1]}` is no escape of TOML 1.0"
            at = start + match.start()
            yield at, at + 2, message, "write `\\u` and four hex digits"
