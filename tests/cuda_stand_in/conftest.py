"""A fixture for the tests of the stand-in: the rendered package with planted faults."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

import pytest

from tests.cuda_stand_in.paths import MARK

collect_ignore_glob = [] if MARK in os.environ else ["test_*.py"]


@pytest.fixture(scope="session")
def package() -> Path:
    """The folder of the package with planted faults, which this process has imported."""
    from tests.cuda_stand_in import aten, faults

    made = faults.planted()
    sys.path.insert(0, str(made.parent))
    import generated.torch

    assert Path(generated.torch.__file__).is_relative_to(made), generated.torch.__file__
    # Do this once here, not in each forked process. Calls of ops import these modules.
    aten.install()
    for name in ("torch.fx.experimental.symbolic_shapes", "torch.testing._comparison"):
        importlib.import_module(name)
    return made
