"""`# opgen: ignore[RULE] reason`: what it hides, and that it does not outlive its cause."""

from __future__ import annotations

import pytest

from opgen.diagnostics import Diagnostic, Where
from opgen.source import SourceFile
from opgen.suppress import suppress

TEXT = """\
a = 1 # opgen: ignore[OG500] because
# opgen: ignore[some-rule, OG501] because

# a comment between
b = 2
c = "# opgen: ignore[OG500] in a string"
d = 4
"""


def finding(key: str, rule: str, name: str = "some-rule") -> Diagnostic:
    return Diagnostic(rule, name, "oh", Where("f", (key,)))


def left(text: str, *found: Diagnostic) -> list[tuple[str, int]]:
    source = SourceFile("f", text)
    kept = suppress(found, {"f": source})
    return [(d.rule, source.position(source.resolve(d.where)[0]).line) for d in kept]


def test_hides_its_own_line_or_the_next() -> None:
    hidden = (finding("a", "OG500"), finding("b", "OG502"), finding("b", "OG501"))
    assert left(TEXT, *hidden) == []
    assert left(TEXT, *hidden, finding("d", "OG500"), finding("c", "OG500")) == [
        ("OG500", 7),
        ("OG500", 6),
    ]


def test_reports_what_is_unused() -> None:
    assert left(TEXT, finding("b", "OG502")) == [("OG090", 1), ("OG090", 2)]
    assert left("a = 1 # opgen: ignore[] why") == [("OG090", 1)]


def test_wants_a_reason() -> None:
    text = "a = 1 # opgen: ignore[OG500]"
    assert left(text, finding("a", "OG500")) == [("OG091", 1)]


@pytest.mark.parametrize("rule", ["OG002", "OG010", "OG014"])
def test_errors_of_reading_stay(rule: str) -> None:
    text = f"a = 1 # opgen: ignore[{rule}] please"
    assert left(text, finding("a", rule)) == [(rule, 1), ("OG090", 1)]


def test_a_file_without_a_line_after_the_comment() -> None:
    assert left("# opgen: ignore[OG500] why") == [("OG090", 1)]
    assert left("# opgen: ignore[OG500] why\n") == [("OG090", 1)]
