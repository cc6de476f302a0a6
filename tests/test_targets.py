"""Targets of other packages are found by entry point, formatted, and checked by the same rules."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from opgen.compiler.pipeline import load
from opgen.ir.project import Project
from opgen.output.render import render
from opgen.spec.config import Config
from opgen.spec.extensions import TargetError, builtin_targets, outside_targets

ROOT = Path(__file__).parent.parent
TARGET = '''
from opgen.targets.target import OutputFile

def outputs(project):
    """One file that lists the ops."""
    names = [op.name for op in project.ops]
    yield OutputFile("list/ops.py", f"OPS = {names!r}\\n")
    yield OutputFile("list/ops.txt", "\\n".join( names ) + "\\n")
    yield OutputFile("list/broken.py", "def (\\n")
'''
METADATA = "Metadata-Version: 2.1\nName: lister\nVersion: 1\n"
ENTRY_POINTS = "[opgen.targets]\nlister = lister\ncore = lister\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Create a project with the relu family, and install a package that adds a target."""
    info = tmp_path / "lister-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(METADATA)
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    (tmp_path / "lister.py").write_text(TARGET)
    monkeypatch.syspath_prepend(tmp_path)
    loaded, found, _ = load([ROOT / "specs" / "relu.toml"], Config(ROOT, kernels="runtime/kernels"))
    assert loaded is not None and not found
    yield loaded
    sys.modules.pop("lister", None)


def test_an_outside_target_is_rendered_with_the_others(project: Project) -> None:
    assert "lister" in outside_targets()
    texts = {file.path: file.text for file in render(project)}
    assert texts["list/ops.py"] == 'OPS = ["relu", "relu_bwd"]\n'
    assert texts["list/ops.txt"] == "relu\nrelu_bwd\n"
    assert texts["list/broken.py"] == "def (\n"
    assert "core/_relu.py" in texts, "an outside target cannot take a builtin's name"


def test_it_can_be_chosen_alone(project: Project) -> None:
    paths = [file.path for file in render(project, ["lister"])]
    assert paths == ["list/broken.py", "list/ops.py", "list/ops.txt", "MANIFEST"]
    with pytest.raises(TargetError, match=f"there are {builtin_targets()[0]}"):
        render(project, ["cobol"])
