"""Rendered Python is formatted by ruff, whatever the user's settings are, and passes ruff's checks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.cli.main import main
from opgen.compiler.pipeline import load
from opgen.output import format as formatter
from opgen.output.format import laid_out
from opgen.output.render import render
from opgen.spec.config import Config
from opgen.targets.target import OutputFile

SLOPPY = "f( a,b ,\n c='x' )\n"
ROOT = Path(__file__).parents[1]


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
    folder = tmp_path / "build"  # ruff excludes this folder in a project
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
    arguments = [
        "render",
        str(ROOT / "specs"),
        "--out",
        str(tmp_path / "out"),
        "--no-cache",
        "--target",
        "core",
    ]
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
    assert main(["render", str(ROOT / "specs"), "--out", str(tmp_path / "out"), "--no-cache"]) == 2
    assert capsys.readouterr().err == (
        "opgen: ruff, which lays rendered Python out, is not installed: install opgen again\n"
    )


@pytest.mark.parametrize(
    "specs", ["boundary/project/specs", "signatures/specs", "lint/OG404/good.toml"]
)
def test_modules_import_what_they_name_and_no_more(specs: str, tmp_path: Path) -> None:
    path = ROOT / "tests" / specs
    files = [*path.glob("*.toml")] or [path]
    project, _, _ = load(files, Config(files[0].parents[1]))
    assert project is not None
    for file in render(project, ["core", "torch", "jax"]):
        if file.path.endswith(".py") and "_runtime" not in file.path:
            (tmp_path / file.path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file.path).write_text(file.text)
    rules = ["--select", "F401,F811,F821", "--output-format", "concise"]
    command = [formatter.find_ruff(), "check", "--isolated", "--no-cache", *rules, tmp_path]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
