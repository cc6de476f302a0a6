"""Fixtures: rendered projects with Pallas kernels; none of their kernels needs compiling."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from opgen.cli.main import main

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples" / "pallas"
IGNORED = shutil.ignore_patterns("*_ops", "build", ".opgen", "__pycache__")


@pytest.fixture(scope="session")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the rendered, importable projects `blocks_ops` and `pallas_ops`."""
    folder = tmp_path_factory.mktemp("pallas") / "projects"
    for source in (HERE / "project", EXAMPLES):
        project = folder / source.name
        shutil.copytree(source, project, ignore=IGNORED)
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(project)
            assert main(["render", "specs"]) == 0
        sys.path.insert(0, str(project))
    return folder
