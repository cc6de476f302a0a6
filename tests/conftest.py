"""Eight virtual CPU devices for JAX, in whichever suite its backend starts first.

XLA optimises nothing that it compiles for the CPU: a program runs a few times, and compiling
it takes a third of the time so. Kernels, layouts and collectives are the same.
Projects that tests build are compiled as fast as can be: what is timed is built before. A warning
is an error, in what is rendered and in the headers too.
Where several processes share the tests, each project is built in one of them.
What is there after collecting, a million objects, is left out of what Python's collector looks at:
a test that collects takes a second otherwise.
"""

from __future__ import annotations

import gc
import os
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from opgen.ir.op import Op
from opgen.ir.project import Project

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
# ccache comes with the packages.
os.environ.setdefault("CMAKE_PROGRAM_PATH", str(Path(sys.executable).parent))
# The folder of a build is in its debugging information alone, which these have not.
os.environ.setdefault("CCACHE_NOHASHDIR", "1")

# Rendered checks that are too slow for all ops in a commit: `make nightly` runs these.
SHARDED = ("test_jax_sharded", "test_torch_sharded")
WIDE = ("test_jax_gradcheck", "test_jax_kinds_refused", "test_torch_opcheck")
# A commit runs the wide ones on these ops.
SAMPLE = ("relu", "rms_norm")
# Checks that compile several programs a case: a commit runs the first case of each op.
COMPILING = ("test_jax_vmap", "test_torch_compiles", "test_torch_exports")

# Folders all of whose tests use one project.
SHARED = ("boundary", "gradients", "sizes", "triton", "pallas")


def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Mark the rendered checks that a commit does without as slow."""
    for item in items:
        if not in_a_commit(getattr(item, "originalname", ""), item):
            item.add_marker("slow")


def in_a_commit(check: str, item: pytest.Function) -> bool:
    """Whether a commit runs a test, unless its file marks it as slow."""
    if check in SHARDED:
        return item.module.SUBJECT.name in first_of_each_kind(item.module.SUBJECT.project)
    if check in WIDE:
        return item.module.SUBJECT.name in SAMPLE
    return check not in COMPILING or item.callspec.indices["case"] == 0


def first_of_each_kind(project: Project) -> set[str]:
    """The smallest op of each kind of sharding: how results are reduced, in which way it runs."""
    smallest: dict[object, Op] = {}
    for op in sorted(project.ops, key=lambda op: (len(op.inputs), op.name)):
        results = op.outputs + op.residuals
        reduced = {how for t in results for _, cases in t.reduce for how in cases.values()}
        kind = frozenset(reduced), bool(op.stages), bool(op.updated), op.follow
        if op.splittable:
            smallest.setdefault(kind, op)
    return {op.name for op in smallest.values()}


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
