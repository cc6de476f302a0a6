"""Eight virtual CPU devices for JAX, in whichever suite its backend starts first.

XLA optimises nothing that it compiles for the CPU: a program runs a few times, and compiling
it takes a third of the time so. Kernels, layouts and collectives are the same.
Projects that tests build are compiled as fast as can be: what is timed is built before. A warning
is an error, in what is rendered and in the headers too.
Where several processes share the tests, each project is built in one of them.
What is there after collecting, a million objects, is left out of what Python's collector looks at:
a test that collects takes a second otherwise.
"""

import gc
import os
from importlib.metadata import version
from pathlib import Path

import pytest

FLAGS = {
    "--xla_force_host_platform_device_count": "8",
    "--xla_backend_optimization_level": "0",
}
if version("jaxlib").startswith("0.10."):  # to a later one it is an unknown flag, and an error
    FLAGS["--xla_cpu_use_fusion_emitters"] = "false"

given = os.environ.get("XLA_FLAGS", "")
added = (f"{flag}={value}" for flag, value in FLAGS.items() if flag not in given)
os.environ["XLA_FLAGS"] = " ".join([given, *added]).strip()

os.environ.setdefault("CMAKE_BUILD_TYPE", "None")
os.environ.setdefault("OPGEN_CPU_LEVELS", "")
os.environ.setdefault("OPGEN_WERROR", "1")
os.environ.setdefault("OPGEN_UNITY", "1")
# The folder of a build is in its debugging information alone, which these have not.
os.environ.setdefault("CCACHE_NOHASHDIR", "1")

# Rendered checks that try many placements, compile for every wrong argument or PyTorch's own list
# of what an op must do, or call kernels among poison: `make test-all`.
WIDE = (
    "test_hostile",
    "test_jax_gradcheck",
    "test_jax_kinds_refused",
    "test_jax_sharded",
    "test_jax_wrong_calls",
    "test_torch_sharded",
    "test_torch_kinds_compiled",
    "test_torch_opcheck",
)
# Those that compile several programs a case: `make test` runs them on the first case of an op.
COMPILING = (
    "test_jax_vmap",
    "test_torch_compiles",
    "test_torch_exports",
)

# Folders all of whose tests use one project.
SHARED = ("boundary", "gradients", "sizes", "triton", "pallas")


def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """With OPGEN_SLOW=1/4, slow tests are those of every fourth file that has any, from the second on."""
    for item in items:
        name = getattr(item, "originalname", None)
        if name in WIDE or name in COMPILING and item.callspec.indices["case"]:
            item.add_marker("slow")
    turn, turns = map(int, os.environ.get("OPGEN_SLOW", "0/1").split("/"))
    slow = {item for item in items if item.get_closest_marker("slow")}
    mine = {*sorted({item.path for item in slow})[turn::turns]}
    items[:] = [item for item in items if item not in slow or item.path in mine]


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """The tests of a file stay together, and so do those that share a project."""
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = Path(nodeid.partition("::")[0])
            return str(file.parent if file.parent.name in SHARED else file)

    return Together(config, log)
