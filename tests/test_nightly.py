"""`make nightly`: every stage is recorded, and counts as passed only if it ran completely."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "nightly.py"
PRINTS = "print('SKIPPED [2] tests/a.py:3: there is no GPU'); print('==== 3 passed, 2 skipped in 1.2s ====')"


@pytest.fixture
def nightly(monkeypatch, tmp_path: Path):
    """Load the script with small programs as its stages."""
    spec = importlib.util.spec_from_file_location("opgen_nightly", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "RECORD", tmp_path / "nightly.md")
    monkeypatch.setattr(module, "LOGS", tmp_path / "logs")

    def program(text: str) -> tuple[str, ...]:
        return (sys.executable, "-c", text)

    stages = [
        module.Stage("good", "works", program(PRINTS), program("print('1 passed in 0.1s')")),
        module.Stage(
            "bad", "fails", program("raise SystemExit(3)"), program("raise SystemExit(3)")
        ),
        module.Stage("long", "hangs", program("import time; time.sleep(60)"), program("")),
        module.Stage("gpu", "needs one", program(""), program(""), {}, "there is no GPU"),
    ]
    monkeypatch.setattr(module, "stages", lambda: stages)
    return module


def rows(nightly) -> dict[str, list[str]]:
    """Return the outcome and the test counts of each stage."""
    cells = [line.split(" | ") for line in nightly.RECORD.read_text().splitlines()]
    return {cell[0].strip("| "): cell[2:4] for cell in cells if len(cell) == 7}


def test_what_ran_and_what_did_not(nightly) -> None:
    assert nightly.main(["--hours", "0.0005"]) == 1
    found = rows(nightly)
    assert found["good"] == ["passed", "3 passed, 2 skipped"]
    assert found["bad"][0] == "failed" and found["long"][0] == "out of time"
    assert found["gpu"][0] == "not run: there is no GPU"
    assert "| 2 | there is no GPU |" in nightly.RECORD.read_text()


def test_a_cut_stage_has_not_passed(nightly) -> None:
    assert nightly.main(["--cut", "good", "long"]) == 1
    found = rows(nightly)
    assert found["good"] == ["cut", "1 passed"] and found["long"][0] == "cut"
    assert found["bad"][0] == "not run: not selected"


def test_all_that_passed_is_success(nightly) -> None:
    nightly.stages = lambda whole=nightly.stages(): [
        each for each in whole if each.name in ("good", "gpu")
    ]
    assert nightly.main([]) == 0


def test_a_stage_that_is_not_asked_for_keeps_its_last_outcome(nightly) -> None:
    assert nightly.main(["--cut", "long"]) == nightly.main(["good", "gpu"]) == 1
    found = rows(nightly)
    assert found["good"][0] == "passed" and found["long"][0] == "cut"
    assert found["bad"][0] == "not run: not selected"


def test_an_unknown_stage_is_refused(nightly) -> None:
    with pytest.raises(SystemExit):
        nightly.main(["everything"])


def test_every_target_of_make_is_a_stage() -> None:
    """Every make target is a stage, except those for setup and those that measure for hours."""
    (listed,) = re.findall(r"^\.PHONY: ((?:.*\\\n)*.*)$", (ROOT / "Makefile").read_text(), re.M)
    others = {"help", "about", "setup", "build", "clean", "nightly", "accuracy", "figures"}
    others |= {"test", "test-all", "demo"}  # the stage `tests` runs test-all and the demo
    text = SCRIPT.read_text()
    for target in {*listed.replace("\\", "").split()} - others:
        assert f'"{target}"' in text or target.startswith("lint-"), target
