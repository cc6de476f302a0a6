"""Conversion of a spec's text to Markdown: code spans and emphasis stay, the rest is plain.

HTML, links, and MyST's directives and roles have no effect. A machine that holds secrets may build
the page, and those could read them.
"""

from __future__ import annotations

import re
from functools import lru_cache

_CODE = re.compile(r"(?<!`)(`{1,2})(?!`)(.+?)(?<!`)\1(?!`)")
_MARKS = re.compile(
    r"[\\`]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<=\])[\[(:]|\[(?=\^)|\{(?=[^{}\s]*\}(?:`|$))"
)
# The start of a heading, a fence, a comment, a break, a target or a table.
_BEGINS = re.compile(r"^(\s*)(?=[#%|:~`+=]{2}|#|%|\([^()]*\)=|>)", re.MULTILINE)


# Ops share most of their words.
@lru_cache(maxsize=4096)
def markdown(text: str) -> str:
    """Return `text` as Markdown that shows it."""
    parts, at = [], 0
    for code in _CODE.finditer(text):
        parts += [_plain(text[at : code.start()]), code[0]]
        at = code.end()
    parts.append(_plain(text[at:]))
    return _BEGINS.sub(r"\1\\", "".join(parts))


@lru_cache(maxsize=4096)
def cell(text: str) -> str:
    """Return `text` as a cell of a table, where `*` is a group of dims."""
    return markdown(text).replace("|", "\\|").replace("*", "\\*").replace("\n", " ")


def _plain(text: str) -> str:
    return _MARKS.sub(lambda mark: f"\\{mark[0]}", text)


def code(text: str) -> str:
    """Return `text` as a code span, whatever backticks it has; also in a table."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    marks, blank = "`" * (longest + 1), " " if longest else ""
    return f"{marks}{blank}{text}{blank}{marks}".replace("|", "\\|")
