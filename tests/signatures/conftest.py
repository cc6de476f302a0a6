"""Fixtures: two packages with the signatures of other libraries.

One runs references, one runs stubs.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from opgen.build.cmake import build
from opgen.build.frameworks import Frameworks, find_frameworks
from opgen.ir.project import Project
from opgen.output.render import render
from opgen.output.write import write
from tests.signatures import signatures, stubs

TARGETS = ("core", "cpp", "torch", "jax")


def built(folder: Path, name: str, frameworks: Frameworks) -> Project:
    """Render and build the package `name` in `folder`, which may contain kernels.

    Return the project.
    """
    config = signatures.config(folder, name)
    project = signatures.load(config)
    write(render(project, TARGETS), config.out_dir, force=True)
    build(config, config.out_dir, frameworks=frameworks)
    sys.path.insert(0, str(folder))
    return project


@pytest.fixture(scope="session")
def by_reference(tmp_path_factory: pytest.TempPathFactory) -> signatures.Find:
    """A function that finds an op by name, in the package that runs references."""
    folder, frameworks = tmp_path_factory.mktemp("signatures"), find_frameworks().torch_alone
    return partial(signatures.find, built(folder, "signatures", frameworks))


@pytest.fixture(scope="session")
def by_stub(tmp_path_factory: pytest.TempPathFactory) -> signatures.Find:
    """A function that finds an op by name, in the package that runs stub kernels."""
    folder = tmp_path_factory.mktemp("stubbed")
    bare = signatures.load(signatures.config(folder, "stubbed"))
    for family in bare.families:
        file = folder / "kernels" / family.name / f"{family.name}.cpp"
        file.parent.mkdir(parents=True)
        file.write_text(stubs.source(bare, family))
    frameworks = replace(find_frameworks(), pybind11_include="")
    return partial(signatures.find, built(folder, "stubbed", frameworks))
