"""Rendering again where nothing has changed does nothing; where anything has, all of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from opgen import cache
from opgen.cli import main

ROOT = Path(__file__).parent.parent


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    (folder / "specs").mkdir(parents=True)
    for name in ("relu.toml", "relu.py"):
        shutil.copy(ROOT / "specs" / name, folder / "specs")
    (folder / "pyproject.toml").write_text("[tool.opgen]\n")
    monkeypatch.chdir(folder)
    assert main(["render", "--target", "core"]) == 0
    return folder


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> Callable[..., bool]:
    """Whether a command line renders anew."""
    from opgen import pipeline

    real, calls = pipeline.load, []
    monkeypatch.setattr(pipeline, "load", lambda *a: calls.append(a) or real(*a))

    def run(*args: str) -> bool:
        calls.clear()
        main(["render", "--target", "core", *args])
        return bool(calls)

    return run


def test_nothing_changed(project: Path, rendered: Callable[..., bool]) -> None:
    assert not rendered()
    assert not rendered("--check")
    assert rendered("--no-cache")
    assert rendered("--target", "cpp")
    assert rendered("--out", "elsewhere")


def append(path: str, text: str = "\n") -> Callable[[Path], None]:
    def change(project: Path) -> None:
        with open(project / path, "a") as file:
            file.write(text)

    return change


@pytest.mark.parametrize(
    "change",
    [
        append("specs/relu.toml"),
        append("specs/relu.py"),
        append("pyproject.toml", 'namespace = "mine"\n'),
        append("generated/core/_relu.py", "# mine\n"),
        append("generated/MANIFEST"),
        lambda project: (project / "generated" / "core" / "_relu.py").unlink(),
        lambda project: (project / "specs" / "relu.toml").rename("specs/act.toml"),
        lambda project: (project / "kernels" / "relu").mkdir(parents=True)
        or (project / "kernels" / "relu" / "relu.cpp").touch(),
    ],
)
def test_anything_changed(
    project: Path, rendered: Callable[..., bool], change: Callable[[Path], None]
) -> None:
    change(project)
    assert rendered()


def test_a_file_edited_by_hand_stays_reported(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    append("generated/core/_relu.py", "# mine\n")(project)
    for _ in range(2):
        assert main(["render", "--target", "core"]) == 1
        assert "edited by hand" in capsys.readouterr().out


def test_a_record_that_makes_no_sense_is_left_alone(
    project: Path, rendered: Callable[..., bool]
) -> None:
    (record,) = (project.parent / "cache" / "opgen").iterdir()
    for text in ("", "[]", "{", '{"key": 1}', "\ud800"):
        record.write_bytes(text.encode(errors="surrogatepass"))
        assert rendered()
    shutil.rmtree(record.parent)
    record.parent.write_text("a file where the folder was")
    assert rendered() and rendered()


def test_old_records_go(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_RECORDS", 2)
    for n in range(4):
        main(["render", "--target", "core", "--out", f"out{n}"])
    assert len(list((project.parent / "cache" / "opgen").iterdir())) == 2


def test_outside_targets_are_rendered_always(
    project: Path, rendered: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "outside_targets", lambda: ("cobol",))
    assert rendered() and rendered()
