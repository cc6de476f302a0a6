"""`# opgen: ignore[RULE] reason` hides a finding, and is itself reported if the finding disappears."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from opgen.compiler.pipeline import examine, resolve
from opgen.lint.registry import MODULES
from opgen.lint.suppress import suppress
from opgen.output.render import render
from opgen.source.diagnostics import Diagnostic, Where
from opgen.source.source_file import SourceFile
from opgen.spec.config import load_config

LINT = Path(__file__).parent / "lint"
TEXT = """\
a = 1 # opgen: ignore[OG309] because
# opgen: ignore[some-rule, OG408] because

# a comment between
b = 2
c = "# opgen: ignore[OG309] in a string"
d = 4
"""


def finding(key: str, rule: str, name: str = "some-rule") -> Diagnostic:
    return Diagnostic(rule, name, "oh", Where("f", (key,)))


def left(text: str, *found: Diagnostic) -> list[tuple[str, int]]:
    source = SourceFile("f", text)
    kept = suppress(found, {"f": source})
    return [(d.rule, source.position(source.resolve(d.where)[0]).line) for d in kept]


def test_hides_its_own_line_or_the_next() -> None:
    hidden = (finding("a", "OG309"), finding("b", "OG417"), finding("b", "OG408"))
    assert left(TEXT, *hidden) == []
    assert left(TEXT, *hidden, finding("d", "OG309"), finding("c", "OG309")) == [
        ("OG309", 7),
        ("OG309", 6),
    ]


def test_reports_what_is_unused() -> None:
    assert left(TEXT, finding("b", "OG417")) == [("OG090", 1), ("OG090", 2)]
    assert left("a = 1 # opgen: ignore[] why") == [("OG090", 1)]


def test_wants_a_reason() -> None:
    text = "a = 1 # opgen: ignore[OG309]"
    assert left(text, finding("a", "OG309")) == [("OG091", 1)]


@pytest.mark.parametrize("rule", ["OG002", "OG010", "OG014", "OG322"])
def test_errors_that_rendering_relies_on_stay(rule: str) -> None:
    text = f"a = 1 # opgen: ignore[{rule}] please"
    assert left(text, finding("a", rule)) == [(rule, 1), ("OG090", 1)]


def test_a_file_without_a_line_after_the_comment() -> None:
    assert left("# opgen: ignore[OG309] why") == [("OG090", 1)]
    assert left("# opgen: ignore[OG309] why\n") == [("OG090", 1)]


OVERRULABLE = [m.RULE.id for m in MODULES if m.RULE.overrulable]
BAD = sorted(p for rule in OVERRULABLE for p in LINT.glob(f"{rule}/bad*") if p.suffix != ".txt")


@pytest.mark.parametrize("bad", BAD, ids=lambda p: p.relative_to(LINT).as_posix())
def test_what_is_overruled_is_rendered(bad: Path, tmp_path: Path) -> None:
    """A spec with an ignored finding is still rendered by every target."""
    shutil.copytree(bad, tmp_path / "specs") if bad.is_dir() else shutil.copy(bad, tmp_path)
    if (bad.parent / "files").is_dir():
        shutil.copytree(bad.parent / "files", tmp_path, dirs_exist_ok=True)
    found = examine(sorted(tmp_path.rglob("*.toml")))[1]
    assert {d.rule for d in found} == {bad.parent.name}
    for path in tmp_path.rglob("*.toml"):
        source = SourceFile.read(path)
        lines = source.text.split("\n")
        here = {
            source.position(source.resolve(d.where)[0]).line
            for d in found
            if d.where.file == source.path
        }
        for line in here:
            lines[line - 1] += f" # opgen: ignore[{bad.parent.name}] on purpose"
        path.write_text("\n".join(lines))
    paths = sorted(tmp_path.rglob("*.toml"))
    specs, found, sources = examine(paths)
    assert found == []
    project = resolve(specs, sources, load_config(tmp_path)[0])
    assert render(project)
