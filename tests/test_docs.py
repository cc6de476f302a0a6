"""Test the documentation: links resolve, and the glossary defines the special words in use."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Folders into which `docs/conf.py` writes generated pages, which links may name.
WRITTEN = ("rules", "ops", "cpp", "project")
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(
        page
        for page in (ROOT / "docs").rglob("*.md")
        if page.relative_to(ROOT / "docs").parts[0] not in WRITTEN
    ),
]
GLOSSARY = ROOT / "docs/glossary.md"
WIDTH = 120
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^]]*\]\(([^)\s]+)\)")
WORDS = re.findall(r"^\* \*\*(.+?)\*\*", GLOSSARY.read_text(), re.MULTILINE)

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def prose(page: Path) -> str:
    """Return the text of a page without its code blocks."""
    return FENCE.sub("", page.read_text())


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub makes of the headings.

    An anchor is lower case, without punctuation, and with hyphens for blanks.
    """
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


def broken(page: Path, text: str) -> list[str]:
    """Return the links in a page's `text` whose file or heading does not exist."""
    found = []
    for link in LINK.findall(re.sub(r"`[^`\n]*\]\([^`\n]*`", "", text)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists() or anchor and anchor not in anchors(target):
            found.append(link)
    return found


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    assert broken(page, prose(page)) == []


def test_broken_links_are_found() -> None:
    links = (
        "[a](nowhere.md) [b](README.md#nothing) [c](README.md#try-it) [d](https://e.org) [e](#f)"
    )
    assert broken(ROOT / "README.md", links) == ["nowhere.md", "README.md#nothing", "#f"]


def test_the_pages_use_each_word_of_the_glossary() -> None:
    text = " ".join(prose(page) for page in PAGES if page != GLOSSARY)
    unused = [w for w in WORDS if not re.search(rf"(?<!\w){re.escape(w)}s?(?!\w)", text, re.I)]
    assert len(WORDS) > 40 and unused == []


def test_each_entry_of_the_glossary_has_a_link() -> None:
    entries = re.split(r"^\* ", GLOSSARY.read_text(), flags=re.MULTILINE)[1:]
    assert len(entries) == len(WORDS)
    assert [entry.split(":")[0] for entry in entries if not LINK.search(entry)] == []


@each_page
def test_lines_are_no_longer_than_120_columns(page: Path) -> None:
    """Lines of prose have at most 120 columns.

    Code and table rows may be longer, because Markdown cannot wrap rows.
    """
    long = [line for line in prose(page).splitlines() if len(line) > WIDTH and line[0] != "|"]
    assert long == []
