"""Rendered Python is laid out by ruff, whatever the user configures for it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from opgen.cli.main import main
from opgen.output import format as formatter
from opgen.output.format import laid_out
from opgen.targets.target import OutputFile

SLOPPY = "f( a,b ,\n c='x' )\n"
SPECS = Path(__file__).parents[1] / "specs"


def texts(*files: OutputFile) -> list[str]:
    return [file.text for _, file in laid_out(("t", file) for file in files)]


def test_python_is_laid_out_and_copies_stay() -> None:
    copy, other = OutputFile("b.py", SLOPPY, verbatim=True), OutputFile("c.txt", SLOPPY)
    found = texts(OutputFile("a.py", SLOPPY), copy, other, OutputFile("d.py", SLOPPY))
    assert found == ['f(a, b, c="x")\n', SLOPPY, SLOPPY, 'f(a, b, c="x")\n']


def test_batches_are_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    files = [OutputFile(f"{n}.py", f"f( {n} )") for n in range(5)]
    monkeypatch.setattr(formatter, "BATCH", 2)
    assert texts(*files) == [f"f({n})\n" for n in range(5)]


def test_a_configuration_of_the_user_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "build"  # which ruff leaves out in a project
    folder.mkdir()
    (tmp_path / ".git").mkdir()
    (tmp_path / "ruff.toml").write_text("line-length = 20\n[format]\nquote-style = 'single'\n")
    (tmp_path / ".gitignore").write_text("*\n")
    monkeypatch.setattr(formatter, "MEMORY", folder)
    monkeypatch.chdir(tmp_path)
    assert texts(OutputFile("a.py", SLOPPY)) == ['f(a, b, c="x")\n']


def failing(path: Path, lines: str) -> str:
    path.write_text(f"#!/bin/sh\n{lines}\n")
    path.chmod(0o755)
    return os.fspath(path)


def test_a_ruff_that_fails_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["render", str(SPECS), "--out", str(tmp_path / "out"), "--no-cache"]
    for lines, said in {
        "echo 'error: no space' >&2; exit 2": "ruff cannot lay out rendered Python: error: no space",
        "exit 101": "ruff cannot lay out rendered Python: it ended with code 101",
    }.items():
        ruff = failing(tmp_path / "ruff", lines)
        monkeypatch.setattr(formatter, "find_ruff", lambda: ruff)
        assert main(arguments) == 2
        assert capsys.readouterr().err == f"opgen: {said}\n"
        assert not (tmp_path / "out").exists()


def test_a_missing_ruff_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ruff", None)
    assert main(["render", str(SPECS), "--out", str(tmp_path / "out"), "--no-cache"]) == 2
    assert capsys.readouterr().err == (
        "opgen: ruff, which lays rendered Python out, is not installed: install opgen again\n"
    )
