"""Which rendered tests a commit runs."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from opgen.testing import OpUnderTest, load

RENDERED = Path(__file__).parents[1] / "generated" / "tests"


@pytest.fixture
def conftest(request: pytest.FixtureRequest) -> ModuleType:
    """The module of hooks that this very run uses."""
    folder = str(Path(__file__).parent)
    modules = request.config.pluginmanager.get_plugins()
    return next(m for m in modules if getattr(m, "__file__", "") == f"{folder}/conftest.py")


def subject(name: str) -> OpUnderTest:
    test = str(RENDERED / f"test_{name}.py")
    return load(test, name, package="generated", namespace="generated")


def test_placements_of_one_op_of_each_kind_are_tried(conftest: ModuleType) -> None:
    """Every way to reduce results, and every op in stages or in place, has an op of its kind."""
    project = subject("relu").project
    chosen = [project.op(name) for name in conftest.first_of_each_kind(project)]
    split = [op for op in project.ops if op.splittable]
    assert 5 < len(chosen) < len(split) / 3

    def ways(op):
        return {
            how for t in op.outputs + op.residuals for _, each in t.reduce for how in each.values()
        }

    assert set().union(*map(ways, chosen)) == set().union(*map(ways, split)) > {"sum", "max"}
    assert any(op.stages for op in chosen) and any(op.updated for op in chosen)


def test_names_of_checks_are_those_of_rendered_tests(conftest: ModuleType) -> None:
    """A check that was renamed would run on every op, or on none."""
    text = "".join(file.read_text() for file in RENDERED.glob("test_*.py"))
    for name in (*conftest.SHARDED, *conftest.WIDE, *conftest.COMPILING):
        assert f"def {name}(" in text
    for op in conftest.SAMPLE:
        assert all(
            f"def {name}(" in (RENDERED / f"test_{op}.py").read_text() for name in conftest.WIDE
        )
