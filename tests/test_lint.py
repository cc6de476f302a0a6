"""Rules by example: each rule reports `lint/<RULE>/bad.toml`, but not `good.toml`.

A folder may hold several wrong specs, `bad*.toml`. Next to each is the expected report, `bad*.txt`.
A wrong project is a folder `bad/` of specs. `OPGEN_UPDATE_GOLDEN=1` writes the actual reports as
the expected ones.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from opgen.compiler.pipeline import examine
from opgen.docs.rule_index import entries
from opgen.source.report import report

LINT = Path(__file__).parent / "lint"
UPDATE = os.environ.get("OPGEN_UPDATE_GOLDEN") == "1"
BAD = sorted(p for p in LINT.glob("*/bad*") if p.suffix != ".txt")
GOOD = sorted(LINT.glob("*/good*"))
# Rules about files and projects are tested in tests/test_source.py, test_cli.py, test_files.py,
# test_unrendered.py and boundary/test_tuned.py.
ELSEWHERE = {"OG001", "OG020", "OG030", "OG031", "OG032", "OG034", "OG035", "OG036", "OG038"}


def name(path: Path) -> str:
    return path.relative_to(LINT).with_suffix("").as_posix()


def lint(path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[set[str], str]:
    """Return the rules with findings, and the report."""
    monkeypatch.chdir(path.parent)
    here = Path(path.name)
    specs = sorted(here.glob("*.toml")) if here.is_dir() else [here]
    _, found, sources = examine(specs)
    return {d.rule for d in found}, report(found, sources, "text")


@pytest.mark.parametrize("path", BAD, ids=name)
def test_bad(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, text = lint(path, monkeypatch)
    expected = path.with_suffix(".txt")
    if UPDATE:
        expected.write_text(text)
    assert text == expected.read_text()
    assert rules == {path.parent.name}


@pytest.mark.parametrize("path", GOOD, ids=name)
def test_good(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert lint(path, monkeypatch) == (set(), "all good\n")


def test_every_rule_has_examples() -> None:
    ids = {entry.id for entry in entries()} - ELSEWHERE
    known = {id for id in ids if id < "OG9"}  # the rules of `opgen diff` compare two specs
    assert {path.parent.name for path in BAD} == known
    assert {path.parent.name for path in GOOD} == known


def test_every_rule_is_documented() -> None:
    for entry in entries():
        first, _, rest = entry.doc.partition("\n")
        assert first.endswith("."), entry.id
        assert "How to fix: " in rest, entry.id
    ids = [entry.id for entry in entries()]
    names = [entry.name for entry in entries()]
    assert len(set(ids)) == len(ids) and len(set(names)) == len(names)
