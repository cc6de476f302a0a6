"""Test `opgen eject`, after which opgen no longer renders the files."""

from __future__ import annotations

from pathlib import Path

import pytest

from opgen.cli.main import main


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a rendered project with two ops."""
    monkeypatch.chdir(tmp_path)
    assert main(["init", "acme_ops"]) == 0
    assert main(["new", "row", "--like", "norm"]) == 0
    assert main(["render"]) == 0
    return tmp_path


def contents(folder: Path) -> dict[str, str]:
    files = (
        file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts
    )
    return {file.relative_to(folder).as_posix(): file.read_text() for file in files}


def change(project: Path, op: str, old: str, new: str) -> None:
    spec = project / f"specs/{op}.toml"
    assert old in spec.read_text()
    spec.write_text(spec.read_text().replace(old, new))


def test_ejected_files_are_not_rendered(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(project / "acme_ops")
    assert main(["eject", "row_bwd"]) == 0
    said = capsys.readouterr().err
    assert "files of `row`, `row_bwd` in acme_ops are yours" in said
    after = contents(project / "acme_ops")
    listing = after.pop("EJECTED")
    ejected = {line.partition("  ")[2] for line in listing.splitlines()}
    assert {
        "torch/_row.py",
        "torch/_row_bwd.py",
        "jax/_row.py",
        "core/_row.py",
        "cpp/row.h",
    } <= ejected
    assert not any("scaled_square" in path for path in ejected)
    changed = {path for path in after if after[path] != before[path]}
    assert after.keys() == before.keys() and changed <= {*ejected, "MANIFEST"}
    text = after["torch/_row.py"]
    assert "Begun by opgen from row.toml, which it no longer follows." in text
    assert "not this file" not in text
    assert main(["render", "--check"]) == 0

    # After an edit and a spec change, the ejected file stays, and opgen reports that it is
    # outdated.
    own = project / "acme_ops/torch/_row.py"
    own.write_text(text.replace("eps: float = 1e-06", "eps: float = 1e-03"))
    change(project, "row", "default = 1e-6", "default = 1e-5")
    change(project, "scaled_square", "default = 1.0", "default = 2.0")
    capsys.readouterr()
    for _ in range(2):  # the second call uses the record
        assert main(["render"]) == 0
        said = capsys.readouterr().err
        assert "ejected, and not what the specs say any more: " in said and "jax/_row.py" in said
    assert "eps: float = 1e-03" in own.read_text()
    assert "scale: float = 2.0" in (project / "acme_ops/torch/_scaled_square.py").read_text()
    assert main(["render", "--check"]) == main(["render", "--force"]) == 0
    assert "eps: float = 1e-03" in own.read_text()


def test_the_package_goes_on_naming_it(project: Path) -> None:
    """The package still compiles and imports the ejected files."""
    assert main(["eject", "row"]) == 0
    assert main(["new", "another"]) == 0
    assert main(["render"]) == 0
    text = (project / "acme_ops/CMakeLists.txt").read_text()
    assert "cpp/row_cpu.cpp" in text and "cpp/another_cpu.cpp" in text
    assert "from ._row import row" in (project / "acme_ops/torch/__init__.py").read_text()


def test_back_again(project: Path) -> None:
    """Without the file EJECTED, opgen owns the files again.

    It reports this before it overwrites them.
    """
    before = contents(project / "acme_ops")
    assert main(["eject", "row"]) == main(["render"]) == 0
    (project / "acme_ops/EJECTED").unlink()
    assert main(["render"]) == 1
    assert main(["render", "--force"]) == 0
    assert contents(project / "acme_ops") == before


@pytest.mark.parametrize(
    ("op", "says"),
    [("rwo", "there is no op `rwo`: did you mean `row`?"), ("row", "`row` is ejected already")],
)
def test_refused(project: Path, capsys: pytest.CaptureFixture[str], op: str, says: str) -> None:
    assert main(["eject", "row"]) == 0
    before = contents(project)
    assert main(["eject", op]) == 2
    assert f"opgen: {says}" in capsys.readouterr().err
    assert contents(project) == before


def test_what_was_edited_before_stays(project: Path) -> None:
    """Files that were edited before the ejection stay, those of the ejected op and of others."""
    own, other = (project / f"acme_ops/torch/_{op}.py" for op in ("row", "scaled_square"))
    for file in (own, other):
        file.write_text(file.read_text() + "# mine\n")
    assert main(["eject", "row"]) == 0
    assert main(["render"]) == 1  # reports that the other file is edited
    assert own.read_text().endswith("# mine\n") and "no longer follows" in own.read_text()
    assert other.read_text().endswith("# mine\n")


def test_a_stale_package_is_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(project, "row", "default = 1e-6", "default = 1e-5")
    before = contents(project)
    assert main(["eject", "row"]) == 2
    assert "acme_ops is not what the specs say: run `opgen render`" in capsys.readouterr().err
    assert contents(project) == before


@pytest.mark.parametrize(
    ("path", "command"),
    [
        ("acme_ops/EJECTED", ["render"]),
        ("acme_ops/MANIFEST", ["eject", "row"]),
        ("acme_ops/core/_row.py", ["eject", "row"]),
        ("acme_ops/core/_package.py", ["doctor"]),
        ("specs/other.toml", ["new", "other"]),
        ("elsewhere/.gitignore", ["init", "more_ops"]),
    ],
)
def test_a_file_that_is_no_text_is_named(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    command: list[str],
) -> None:
    file = project / path
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(b"\xff\x00\xfe")
    if command[0] == "init":
        monkeypatch.chdir(file.parent)
    assert main(command) != 0
    said = "".join(capsys.readouterr())
    assert "internal error" not in said
    assert f"{file.name}: this is not UTF-8 text" in said or command == ["doctor"]
    assert file.read_bytes() == b"\xff\x00\xfe"
