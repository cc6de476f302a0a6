"""Select the tests that run on the stand-in: of PyTorch or, with the plugin `xla`, of JAX.

The names of ops in `STAND_IN_OPS` select the tests of these ops. `STAND_IN_CASES` is the largest
number of calls for each test of an op.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "gpu: runs on a GPU")
    config.addinivalue_line("markers", "slow: takes long")


def op_of(item: pytest.Item) -> str | None:
    """Return the name of the op that a test calls, or None if it calls several ops."""
    given = getattr(item, "callspec", None)
    subject = given.params.get("subject") if given else None
    return getattr(subject or getattr(item.cls, "subject", None), "name", None)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    jax = config.pluginmanager.has_plugin("tests.cuda_stand_in.xla")
    without = "test_torch" if jax else "test_jax"
    wanted = os.environ.get("STAND_IN_OPS", "").split()
    most = float(os.environ.get("STAND_IN_CASES", "inf"))
    seen: Counter[tuple[str, str]] = Counter()
    kept: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in items:
        op = op_of(item)
        of = (op or item.nodeid, getattr(item, "originalname", item.name))
        chosen = (op is None or not wanted or op in wanted) and seen[of] < most
        chosen &= not item.name.startswith(without)
        seen[of] += chosen
        (kept if chosen else left_out).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept
