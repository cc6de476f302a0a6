"""Test the prose check of `make lint`: its findings, and that the help texts of `opgen` pass it."""

from __future__ import annotations

from pathlib import Path

import pytest

from opgen.cli.parser import DESCRIPTION, ENDING, command_names, groups, parser
from scripts.prose import check, checked, faults, main


def test_pages_and_docstrings_are_checked() -> None:
    """`make lint` checks all of them; here only the README is."""
    assert len(checked()) > 700 and main(["README.md"]) == 0


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("`opgen doctor` says what a machine lacks and what mends it.", "`mends`: write fix"),
        ("An op that is there.", "`that is there`: write existing"),
        ("The flags are other ones: all is compiled anew.", "`anew`: write again"),
        (" ".join(["word"] * 26) + ".", "a sentence of 26 words"),
        ("| a cell | it is no function |", "`is no`: write is not a"),
    ],
)
def test_a_fault_is_found_with_its_line(text: str, fault: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# Title\n\nShort. See [a page](anew.md).\n\n```\nanew\n```\n\n{text}\n")
    ((line, found),) = check(page)
    assert line == 9 and fault in found


def test_a_relative_docstring_is_found(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('"""Names."""\n\n\ndef f():\n    """What is returned."""\n')
    assert list(check(module)) == [(5, "a docstring begins with `What`")]


def test_long_words_and_code_count_once() -> None:
    assert not list(faults(f"{' '.join(['word'] * 24)} `some code that is anew`."))


def test_help_is_plain() -> None:
    helps = [command.help for group in groups().values() for command in group]
    for name in command_names():
        (subparsers,) = (a for a in parser()._actions if a.choices and name in a.choices)
        helps += [str(action.help) for action in subparsers.choices[name]._actions]
    found = [
        (text, fault)
        for text in (DESCRIPTION, *ENDING.split("\n\n")[2:], *helps)
        for fault in faults(text)
    ]
    assert not found
