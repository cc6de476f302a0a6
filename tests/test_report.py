"""The layout of findings: carets stand under the reported text, whatever characters the line has."""

from __future__ import annotations

import json

import pytest

from opgen.source.diagnostics import Diagnostic, Severity, Where
from opgen.source.report import report
from opgen.source.source_file import SourceFile


def shown(text: str, at: str, form: str = "text", **rest) -> str:
    start = text.index(at)
    where = Where("f.toml", start=start, end=start + len(at), absolute=True)
    finding = Diagnostic("OG999", "some-rule", "oh", where, "do this", **rest)
    return report([finding], {"f.toml": SourceFile("f.toml", text)}, form)


@pytest.mark.parametrize(
    ("text", "line", "caret"),
    [
        ("a = 1", "1 | a = 1", "  |     ^"),
        ("\n\nab = 11\n", "3 | ab = 11", "  |      ^^"),
        ("\ta = 11", "1 |     a = 11", "  |         ^^"),
        ("日本 = 11", "1 | 日本 = 11", "  |        ^^"),
        ("e\u0301 = 11", "1 | e\u0301 = 11", "  |     ^^"),
        ("a\x1b = 11", "1 | a\ufffd = 11", "  |      ^^"),
    ],
)
def test_carets(text: str, line: str, caret: str) -> None:
    at = "11" if "11" in text else "1"
    rows = shown(text, at).split("\n")
    assert rows[2:4] == [line, caret]
    assert rows[4] == "  = help: do this"


def test_a_long_line_is_cut_around_the_mark() -> None:
    rows = shown("x" * 500 + "MARK" + "y" * 500, "MARK").split("\n")
    assert len(rows[2]) < 180 and rows[2][rows[3].index("^") :].startswith("MARK")
    assert rows[2].startswith("1 | ...x") and rows[2].endswith("y...")


def test_a_mark_over_lines_stays_on_the_first() -> None:
    rows = shown("a = [\n  1,\n]", "[\n  1,\n]").split("\n")
    assert rows[2:4] == ["1 | a = [", "  |     ^"]


def test_messages_cannot_move_the_cursor() -> None:
    where = Where("f.toml", start=0, end=0, absolute=True)
    finding = Diagnostic("OG999", "some-rule", "a\x1b[2Jb\nc", where)
    text = report([finding], {"f.toml": SourceFile("f.toml", "")}, "text")
    assert "\x1b" not in text and "a\ufffd[2Jb\ufffdc" in text


def test_a_terminal_is_told_of_the_page_of_the_rule() -> None:
    where = Where("f.toml", start=0, end=1, absolute=True)
    finding = Diagnostic("OG503", "missing-reduce", "oh", where)
    sources = {"f.toml": SourceFile("f.toml", "a = 1")}
    told = "`opgen explain OG503` says more of the first\n"
    assert report([finding], sources, "text", color=True).endswith(told)
    assert told not in report([finding], sources, "text")
    assert "explain" not in report([], sources, "text", color=True)


def test_findings_are_sorted_and_counted() -> None:
    sources = {name: SourceFile(name, "a = 1\nb = 2\n") for name in ("b", "a")}
    places = [("b", "a"), ("a", "b"), ("a", "a")]
    found = [
        Diagnostic("OG999", "r", "oh", Where(file, (key,)), severity=severity)
        for (file, key), severity in zip(places, [*Severity, Severity.ERROR])
    ]
    rows = report(found, sources, "text").split("\n")
    assert [row[:5] for row in rows if "[OG999" in row] == ["a:1:5", "a:2:5", "b:1:5"]
    assert rows[-2] == "found 2 errors and 1 warning in 2 files"


def test_json_and_github() -> None:
    (finding,) = json.loads(shown("é = 'x'\n", "'x'", "json"))
    assert finding == {
        "file": "f.toml",
        "line": 1,
        "column": 5,
        "end_line": 1,
        "end_column": 8,
        "rule": "OG999",
        "name": "some-rule",
        "severity": "error",
        "message": "oh",
        "help": "do this",
    }
    warning = shown("a = 1", "1", "github", severity=Severity.WARNING)
    assert warning == (
        "::warning file=f.toml,line=1,col=5,endLine=1,endColumn=6,"
        "title=OG999 some-rule::oh: do this\n"
    )
