"""`opgen adopt` adds an accepted kernel to the op's list of kernels, and refuses others."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from opgen.bench.sizes import Size
from opgen.cli.main import main
from opgen.compiler.pipeline import load
from opgen.exchange import Refused
from opgen.judge import speed
from opgen.judge.adopt import listed, renamed
from opgen.judge.candidate import Candidate
from opgen.spec.config import Config

PROJECT = Path(__file__).parent / "project"
KERNEL = (PROJECT / "kernels/bend/bend.cpp").read_text()
SPEC = (PROJECT / "specs/bend.toml").read_text()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(PROJECT, tmp_path, dirs_exist_ok=True)
    settings = '[tool.opgen]\npackage = "judged"\nout = "judged"\nnamespace = "judged"\n'
    (tmp_path / "pyproject.toml").write_text(settings + 'targets = ["core", "cpp"]\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bend(folder: Path):
    project, found, _ = load([folder / "specs/bend.toml"], Config(folder))
    assert project is not None, [each.message for each in found]
    return project.op("bend")


@pytest.mark.parametrize(
    ("former", "rest"),
    [
        ('kernels        = ["cpu"]', '    "cpu",\n'),
        ('kernels        = ["cpu", "reference"]', '    "cpu",\n    "reference",\n'),
        ('kernels        = [{ on = "cpu" }]', '    { on = "cpu" },\n'),
    ],
)
def test_the_entry_comes_first(former: str, rest: str, folder: Path) -> None:
    text = SPEC.replace('kernels        = ["cpu"]', former)
    (folder / "specs/bend.toml").write_text(text)
    made = listed(text, bend(folder), "fast", ["rank(x) == 2"], ["deterministic"])
    entry = '{ on = "cpu", symbol = "fast", require = ["rank(x) == 2"], guarantees = ["deterministic"] }'
    assert f"= [\n    {entry},\n{rest}]\n" in made
    (folder / "specs/bend.toml").write_text(made)
    (folder / "kernels/bend/fast.cpp").write_text(KERNEL.replace(" bend(", " fast("))
    assert [kernel.name for kernel in bend(folder).kernels] == ["fast", "bend"]


def test_a_kernel_for_every_call_takes_the_place_of_the_others(folder: Path) -> None:
    made = listed(SPEC, bend(folder), "fast", [], [])
    assert 'kernels        = [\n    { on = "cpu", symbol = "fast" },\n]\n' in made


def test_only_a_source_that_defines_the_kernel_once_is_adopted(folder: Path) -> None:
    (folder / "two.cpp").write_text(KERNEL * 2)
    with pytest.raises(Refused, match="must define `opgen::Status bend\\(...\\)` once, .* 2 times"):
        renamed(Candidate.of("two.cpp"), bend(folder), "fast")
    (folder / "fast.py").write_text("")
    with pytest.raises(Refused, match="C\\+\\+ sources alone"):
        renamed(Candidate.of("fast.py:fast"), bend(folder), "fast")


@pytest.mark.slow
def test_an_accepted_kernel_and_its_verdict_are_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(speed, "SIZES", (Size(32, 256),))
    monkeypatch.setattr(speed, "SLOWER", 3.0)
    before = {path: path.read_text() for path in (folder / "specs").iterdir()}
    Path("fast.cpp").write_text(KERNEL.replace("numel(), 4096", "numel() / 2, 4096"))
    assert main(["adopt", "bend", "fast.cpp"]) == 1
    assert "refused: 2 of 10 levels" in capsys.readouterr().out
    assert before == {path: path.read_text() for path in (folder / "specs").iterdir()}
    Path("fast.cpp").write_text(KERNEL)
    assert main(["adopt", "bend", "fast.cpp", "--require", "numel(x) % 2 == 0"]) == 0
    assert main(["lint"]) == 0
    assert [kernel.name for kernel in bend(folder).kernels] == ["fast", "bend"]
    verdict = json.loads((folder / "kernels/bend/fast.verdict.json").read_text())
    assert verdict["accepted"] and verdict["guarantees"] == ["deterministic"]
    # A second candidate with this name, and one for calls that no test makes, are refused.
    assert main(["adopt", "bend", "fast.cpp"]) == 2
    assert main(["adopt", "bend", "fast.cpp", "--name", "b", "--require", "numel(x) == 77"]) == 2
    said = capsys.readouterr().err
    assert "pass another --name" in said and "fits `require`" in said
