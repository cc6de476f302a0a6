"""Each rule has a page, and the index lists it once, with the text of `opgen explain`."""

from __future__ import annotations

import re

from opgen.docs.rule_index import entries
from opgen.docs.rule_pages import page, rule_pages

RULES = entries()


def test_each_rule_has_a_page_in_the_index() -> None:
    pages = rule_pages()
    listed = re.findall(r"^\| \[(OG\d{3})\]\(\1\.md\) \|", pages.pop("index.md"), re.MULTILINE)
    assert listed == [rule.id for rule in RULES] == [name.removesuffix(".md") for name in pages]


def test_a_page_is_the_text_of_the_rule() -> None:
    """A page has the text of its rule word for word, with fenced examples and bold labels."""
    for rule in RULES:
        text = page(rule).replace("**", "")
        words = re.sub(r"^```\w*$", "", text, flags=re.MULTILINE).split()
        assert "   " not in re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
        wanted = rule.doc.replace("**", "").split()
        assert any(words[at : at + len(wanted)] == wanted for at in range(12)), rule.id
