"""`make matrix TORCHES=...`: its report on versions whose tests pass or fail, or that do not exist."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[1] / "scripts"
THIS = "{}.{}".format(*sys.version_info[:2])


@pytest.fixture
def frameworks(monkeypatch, tmp_path: Path):
    """Load the script in an empty tree; a stub replaces the Python of each environment."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    for name in ("matrix", "frameworks"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    module = import_module("frameworks")
    for name in module.COPIED:
        (tmp_path / name).write_text("")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(
        module, "find_pythons", lambda versions: dict.fromkeys(versions, sys.executable)
    )
    return module


def stub(frameworks, monkeypatch, body: str) -> None:
    def install(python: str, place: Path, framework: str, version: str) -> None:
        file = place / "venv" / "bin" / "python"
        file.parent.mkdir(parents=True)
        file.write_text(f"#!/bin/sh\n{body}\n")
        file.chmod(0o755)

    monkeypatch.setattr(frameworks, "install", install)


def test_counts_stand_in_the_table(frameworks, monkeypatch, capsys) -> None:
    stub(frameworks, monkeypatch, 'case "$*" in *pytest*torch*) echo "3 passed in 2.00s";; esac')
    assert frameworks.main(["--python", THIS, "--torch", "2.99.0", "--native", "--runtime"]) == 0
    assert f"| torch 2.99.0 | {THIS} | 3 passed | 3 passed | 3 passed |" in capsys.readouterr().out
    assert not (frameworks.ROOT / "build" / "matrix" / f"torch-2.99.0-{THIS}" / "venv").exists()


def test_failures_are_named_and_count(frameworks, monkeypatch, capsys) -> None:
    stub(frameworks, monkeypatch, 'echo "FAILED test_a.py::b"; echo "1 failed, 2 passed"; exit 1')
    assert frameworks.main(["--python", THIS, "--jax", "0.99"]) == 1
    printed = capsys.readouterr().out
    assert "FAILED test_a.py::b" in printed and "| 1 failed, 2 passed |" in printed


def test_a_build_that_fails_is_said(frameworks, monkeypatch, capsys) -> None:
    stub(frameworks, monkeypatch, 'case "$*" in *opgen*) exit 1;; *) echo "2 passed";; esac')
    assert frameworks.main(["--python", THIS, "--torch", "2.99.0", "--native"]) == 1
    assert "| 2 passed |  | failed, see build/matrix/" in capsys.readouterr().out
    assert frameworks.main(["--python", THIS, "--torch", "2.99.0", "--runtime"]) == 1
    assert "| 2 passed | failed, see build/matrix/" in capsys.readouterr().out


def test_what_cannot_be_installed_is_said(frameworks, monkeypatch, capsys) -> None:
    monkeypatch.setattr(frameworks, "COPIED", ())

    def install(python: str, place: Path, framework: str, version: str) -> None:
        place.mkdir(parents=True, exist_ok=True)
        frameworks.perform(place, ["sh", "-c", "echo no such version; exit 1"])

    monkeypatch.setattr(frameworks, "install", install)
    assert frameworks.main(["--python", THIS, "--torch", "0.0.none"]) == 1
    printed = capsys.readouterr().out
    assert "no such version" in printed and "| not installed |" in printed


def test_libraries_are_shared_by_pythons(frameworks, monkeypatch) -> None:
    """PyTorch's CUDA libraries are installed once for a version, and removed after its tests."""
    asked, installed, seen = ["nvidia-some==1", "filelock", "triton==9", ""], [], []

    def perform(place: Path, command) -> str:
        (place / "venv/lib/python9.9/site-packages").mkdir(parents=True, exist_ok=True)
        if "--target" in command:
            folder = Path(command[command.index("--target") + 1])
            (folder / "nvidia").mkdir(parents=True)
        if "pytest" in command and "-k" in command:
            seen.append((place / "venv/lib/python9.9/site-packages/nvidia").is_dir())
        installed.extend(each for each in asked if each in command)
        return "\n".join(asked) if frameworks.REQUIREMENTS in command else "1 passed"

    monkeypatch.setattr(frameworks, "perform", perform)
    assert frameworks.main(["--python", "9.8", "9.9", "--torch", "2.99.0"]) == 0
    assert seen == [True, True] and sorted(installed) == ["filelock", "filelock", "nvidia-some==1"]
    assert not frameworks.shared_folder("torch", "2.99.0").exists()
