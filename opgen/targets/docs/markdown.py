"""Text of a spec as Markdown: code spans and emphasis stay, all else is text.

Neither HTML nor links, neither directives nor roles of MyST: a page may be built with what those
can read, on a machine that holds secrets.
"""

from __future__ import annotations

import re

_CODE = re.compile(r"(?<!`)(`{1,2})(?!`)(.+?)(?<!`)\1(?!`)")
_MARKS = re.compile(
    r"[\\`]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<=\])[\[(:]|\[(?=\^)|\{(?=[^{}\s]*\}(?:`|$))"
)
# What begins a heading, a fence, a comment, a break, a target or a table.
_BEGINS = re.compile(r"^(\s*)(?=[#%|:~`+=]{2}|#|%|\([^()]*\)=|>)", re.MULTILINE)


def markdown(text: str) -> str:
    """`text` as Markdown that shows it."""
    parts, at = [], 0
    for code in _CODE.finditer(text):
        parts += [_plain(text[at : code.start()]), code[0]]
        at = code.end()
    parts.append(_plain(text[at:]))
    return _BEGINS.sub(r"\1\\", "".join(parts))


def cell(text: str) -> str:
    """`text` as a cell of a table: `*` is a group of dims there."""
    return markdown(text).replace("|", "\\|").replace("*", "\\*").replace("\n", " ")


def _plain(text: str) -> str:
    return _MARKS.sub(lambda mark: f"\\{mark[0]}", text)


def code(text: str) -> str:
    """`text` as a code span, whatever backticks it holds; also in a table."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    marks, blank = "`" * (longest + 1), " " if longest else ""
    return f"{marks}{blank}{text}{blank}{marks}".replace("|", "\\|")
