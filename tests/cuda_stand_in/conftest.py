"""The package with planted faults, for all tests of the stand-in."""

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
    """The planted package, which this process imports."""
    from tests.cuda_stand_in import aten, faults

    made = faults.planted()
    sys.path.insert(0, str(made.parent))
    import generated.torch

    assert Path(generated.torch.__file__).is_relative_to(made), generated.torch.__file__
    # Once for all processes that are forked from this one. The modules are those that calls import.
    aten.install()
    for name in ("torch.fx.experimental.symbolic_shapes", "torch.testing._comparison"):
        importlib.import_module(name)
    return made
