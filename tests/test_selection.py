"""The selection of those rendered tests that run for each commit."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from opgen.ir.op import Op
from opgen.testing import OpUnderTest, load

ROOT = Path(__file__).parents[1]
RENDERED = ROOT / "generated" / "tests" / "test_ops.py"
STACKED = """
import pytest

@pytest.fixture(params="xy")
def kind(request): ...

@pytest.mark.parametrize("a", [1, 2])
@pytest.mark.parametrize("b, c", [(3, 4), (5, 6)])
def test_stacked(kind, a, b, c): ...

@pytest.mark.parametrize("a", [1, 1])
def test_alone(a): ...
"""


@pytest.fixture
def conftest(request: pytest.FixtureRequest) -> ModuleType:
    """Return the conftest module of the running pytest process."""
    modules = request.config.pluginmanager.get_plugins()
    return next(m for m in modules if getattr(m, "__file__", "") == f"{ROOT}/conftest.py")


def relu() -> OpUnderTest:
    return load(str(RENDERED), "relu", package="generated", namespace="generated")


def test_placements_are_tried_on_ops_of_every_kind(conftest: ModuleType) -> None:
    """Tests of placements run on ops of every kind: each kind of reduction, stages, and updates."""
    project = relu().project
    chosen = [project.op(name) for name in conftest.each_way(project)]
    split = [op for op in project.ops if op.splittable]
    assert 5 < len(chosen) < len(split) / 4

    def ways(op: Op) -> set[str]:
        return {
            how for t in op.outputs + op.residuals for _, each in t.reduce for how in each.values()
        }

    assert set().union(*map(ways, chosen)) == set().union(*map(ways, split)) > {"sum", "max"}
    assert any(op.stages for op in chosen) and any(op.updated for op in chosen)
    assert any(op.follow for op in chosen) and not all(map(ways, chosen))


def test_each_check_that_is_chosen_from_is_rendered(conftest: ModuleType) -> None:
    """Each check with selected ops is rendered under the name in `CHOSEN`.

    Under another name, the check would run on every op.
    """
    project = relu().project
    classes = runpy.run_path(str(RENDERED))
    for check, (ops, _) in conftest.CHOSEN.items():
        rendered = {op.name for op in project.ops if hasattr(classes[op.name], check)}
        assert rendered and ops(project) & rendered


@pytest.mark.parametrize(
    "folder, slow",
    [("gradients", {"test_stacked[x-5-6-2]", "test_stacked[y-5-6-2]"}), ("lint", set())],
)
def test_combinations_of_values_that_ran_before_are_slow(
    tmp_path: Path, folder: str, slow: set[str]
) -> None:
    """The last of four combinations has no new value. A fixture's values are not combined."""
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "test_it.py").write_text(STACKED)
    options = "-p conftest -m slow --collect-only -q".split()
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "--rootdir", tmp_path, tmp_path],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    found = {line.split("::")[1] for line in run.stdout.splitlines() if "::" in line}
    assert found == slow, run.stdout + run.stderr
