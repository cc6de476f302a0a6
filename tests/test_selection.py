"""The selection of those rendered tests that run for each commit."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import ModuleType

import pytest

from opgen.ir.op import Op
from opgen.testing import OpUnderTest, load

RENDERED = Path(__file__).parents[1] / "generated" / "tests" / "test_ops.py"


@pytest.fixture
def conftest(request: pytest.FixtureRequest) -> ModuleType:
    """Return the conftest module of the running pytest process."""
    folder = str(Path(__file__).parents[1])
    modules = request.config.pluginmanager.get_plugins()
    return next(m for m in modules if getattr(m, "__file__", "") == f"{folder}/conftest.py")


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
