"""Every wrong call of every op of `generated` gets a clear error: eager, traced and compiled.

Only `make trust` makes all wrong calls; the rendered tests of each op make one of each kind.
"""

from __future__ import annotations

import importlib
import os
from pathlib import Path

import pytest

from opgen.testing import cases, load
from tests.trust.conftest import Calls

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.environ.get("OPGEN_TRUST") != "all", reason="`make trust` makes them"),
]
ROOT = Path(__file__).parents[2] / "generated"


@pytest.mark.parametrize("framework", ["torch", "jax"])
def test_refused(framework: str, calls: Calls) -> None:
    checks = importlib.import_module(f"opgen.testing.{framework}_wrong_calls")
    test = str(ROOT / "tests" / "test_ops.py")
    project = load(test, "relu", package="generated", namespace="generated").project
    failures = []
    for op in project.ops:
        subject = load(test, op.name, package="generated", namespace="generated")
        tried = checks.refused(subject, cases(op)[:1], few=False)
        for (mode, kind), count in tried.counts.items():
            row = calls.setdefault(f"{framework}, {mode}: {kind}", [0, 0])
            row[0] += count
            row[1] += tried.failed[mode, kind]
        failures += tried.failures
    assert not failures, "\n".join(failures)
