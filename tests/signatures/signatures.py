"""The specs of this folder, and sample calls of their ops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from opgen.compiler import pipeline
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.spec.config import Config
from opgen.testing.cases import samples
from opgen.testing.environment import Case, holds
from opgen.testing.op_under_test import OpUnderTest

SPECS = sorted((Path(__file__).parent / "specs").glob("*.toml"))
Find = Callable[[str], OpUnderTest]


def config(folder: Path, name: str) -> Config:
    return Config(folder, out=name, package=name, namespace=name, kernels="kernels")


def load(config: Config) -> Project:
    project, found, _ = pipeline.load(SPECS, config)
    assert project is not None and not found, [f.message for f in found]
    return project


def find(project: Project, name: str) -> OpUnderTest:
    return OpUnderTest(project.op(name), project)


def calls(project: Project) -> Iterator[tuple[Op, Case]]:
    """Yield the sample calls of every op.

    If an input may have one of several ranks, also yield a sample with each rank.
    """
    for op in project.ops:
        found = samples(op)
        assert len(found) == len(op.samples), op.name
        yield from ((op, case) for case in found)
        for tensor in op.inputs:
            for form in range(1, max(map(len, tensor.forms.values()))):
                others = (replace(case, forms=((tensor.name, form),)) for case in found)
                yield from ((op, case) for case in list(filter(lambda c: holds(op, c), others))[:1])
