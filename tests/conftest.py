"""Eight virtual CPU devices for JAX, in whichever suite its backend starts first.

Projects that tests build are compiled as fast as can be: what is timed is built before.
Where several processes share the tests, each project is built in one of them.
"""

import os
import pytest

FLAG = "--xla_force_host_platform_device_count"

if FLAG not in os.environ.get("XLA_FLAGS", ""):
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {FLAG}=8".strip()

os.environ.setdefault("CMAKE_BUILD_TYPE", "Debug")

# Folders all of whose tests use one project.
SHARED = ("boundary", "gradients", "sizes")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of a file stay together, and so do those that share a project."""
    for item in items:
        folder = item.path.parent
        together = folder if folder.name in SHARED else item.path
        item.add_marker(pytest.mark.xdist_group(str(together)))
