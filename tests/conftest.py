"""Eight virtual CPU devices for JAX, in whichever suite its backend starts first.

Projects that tests build are compiled as fast as can be: what is timed is built before.
Where several processes share the tests, each project is built in one of them.
"""

import os
from pathlib import Path

import pytest

FLAG = "--xla_force_host_platform_device_count"

if FLAG not in os.environ.get("XLA_FLAGS", ""):
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {FLAG}=8".strip()

os.environ.setdefault("CMAKE_BUILD_TYPE", "Debug")
os.environ.setdefault("OPGEN_CPU_LEVELS", "")
# Debugging information then has the folder of the first build: nobody debugs these.
os.environ.setdefault("CCACHE_NOHASHDIR", "1")

# Folders all of whose tests use one project.
SHARED = ("boundary", "gradients", "sizes")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """The tests of a file stay together, and so do those that share a project."""
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = Path(nodeid.partition("::")[0])
            return str(file.parent if file.parent.name in SHARED else file)

    return Together(config, log)
