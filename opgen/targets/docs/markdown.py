"""Convert text from a spec to Markdown.

Code spans and emphasis keep their effect. Other markup, such as HTML, links, and MyST directives
and roles, is displayed as plain text. A directive could otherwise read secrets of the machine that
builds the page.
"""

from __future__ import annotations

import re
from functools import lru_cache

_CODE = re.compile(r"(?<!`)(`{1,2})(?!`)(.+?)(?<!`)\1(?!`)")
_MARKS = re.compile(
    r"[\\`]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<=\])[\[(:]|\[(?=\^)|\{(?=[^{}\s]*\}(?:`|$))"
)
# Markup at the start of a line: a heading, a fence, a comment, a break, a target or a table.
_BEGINS = re.compile(r"^(\s*)(?=[#%|:~`+=]{2}|#|%|\([^()]*\)=|>)", re.MULTILINE)


# cached, because ops share most of their words
@lru_cache(maxsize=4096)
def markdown(text: str) -> str:
    """Return Markdown for `text`. All markup except code and emphasis is escaped."""
    parts, at = [], 0
    for code in _CODE.finditer(text):
        parts += [_plain(text[at : code.start()]), code[0]]
        at = code.end()
    parts.append(_plain(text[at:]))
    return _BEGINS.sub(r"\1\\", "".join(parts))


@lru_cache(maxsize=4096)
def cell(text: str) -> str:
    """Return Markdown for `text` in a table cell, where a `*` marks a group of dims."""
    return markdown(text).replace("|", "\\|").replace("*", "\\*").replace("\n", " ")


def _plain(text: str) -> str:
    return _MARKS.sub(lambda mark: f"\\{mark[0]}", text)


def code(text: str) -> str:
    """Return a Markdown code span for `text`, which may contain backticks or `|`."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    marks, blank = "`" * (longest + 1), " " if longest else ""
    return f"{marks}{blank}{text}{blank}{marks}".replace("|", "\\|")
